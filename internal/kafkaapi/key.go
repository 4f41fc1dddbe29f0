// SPDX-License-Identifier: MPL-2.0

package kafkaapi

import (
	"slices"
	"strings"
)

// keyNamed finds which of the sent keys a broker's message speaks of; empty where it names none. Kafka's protocol has no field
// for it. The phrases in which brokers name the culprit decide first, as a value may quote another key's name; without such a
// phrase it is the key that comes first in the text, as in "conflict topic config setting min.compaction.lag.ms (100) > …".
func keyNamed(message string, keys []string) string {
	for _, lead := range culpritPhrases {
		rest := message
		for {
			_, after, found := strings.Cut(rest, lead)
			if !found {
				break
			}
			if key := keyAtStart(after, keys); key != "" {
				return key
			}
			rest = after
		}
	}
	for lead, key := range unnamedCulprits {
		if strings.Contains(message, lead) && slices.Contains(keys, key) {
			return key
		}
	}
	return firstKey(message, keys)
}

// unnamedCulprits are words in which brokers speak of a key without its name (LogCleaner, Kafka 1.1 to 4.4).
var unnamedCulprits = map[string]string{"Log cleaner threads ": "log.cleaner.threads"}

// culpritPhrases are the words right before a key in the messages of Kafka 1.0 to 4.4, the most telling first.
var culpritPhrases = []string{
	" for configuration ",
	"Unknown topic config name: ",
	"Unknown config name: ",
	"Unknown group config name: ",
	"Unknown client metrics configuration: ",
	" to key ",
	" for config key: ",
	"update validation failed for ",
	"Null value not supported for topic configs: ",
	"Null value not supported for : SET:",
	"Null value not supported for : ",
	"dynamically: [", "dynamically: Set(", "dynamically: HashSet(",
	"must be specified: [", "must be specified: Set(", "must be specified: HashSet(",
	"listener prefix: [", "listener prefix: Set(", "listener prefix: HashSet(",
}

// keyAtStart gives the key whose whole name the text begins with.
func keyAtStart(text string, keys []string) string {
	for _, key := range keys {
		if key != "" && strings.HasPrefix(text, key) && endsToken(text, len(key)) {
			return key
		}
	}
	return ""
}

// firstKey gives the key whose name stands first in the text as a whole token.
func firstKey(text string, keys []string) string {
	best, at := "", len(text)
	for _, key := range keys {
		if i := tokenIndex(text, key); i >= 0 && i < at {
			best, at = key, i
		}
	}
	return best
}

// tokenIndex is where the key stands in the text as a whole token, -1 where it does not: retention.ms is not in
// local.retention.ms.
func tokenIndex(text, key string) int {
	if key == "" {
		return -1
	}
	for from := 0; ; {
		i := strings.Index(text[from:], key)
		if i < 0 {
			return -1
		}
		i += from
		if (i == 0 || !isTokenByte(text[i-1])) && endsToken(text, i+len(key)) {
			return i
		}
		from = i + 1
	}
}

// endsToken reports whether no further part of a name begins at i. A dot that no name continues after ends a sentence.
func endsToken(text string, i int) bool {
	if i >= len(text) || !isTokenByte(text[i]) {
		return true
	}
	return text[i] == '.' && (i+1 == len(text) || !isTokenByte(text[i+1]))
}

func isTokenByte(b byte) bool {
	return b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || b >= '0' && b <= '9' || b == '.' || b == '_' || b == '-'
}
