// SPDX-License-Identifier: MPL-2.0

package throttle

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/dustin/go-humanize"

	"github.com/kafka-layout/terraform-provider-kafka/internal/kafkaapi"
)

// UnusableError says that a throttle is wanted and cannot be set, so that nothing is moved.
type UnusableError struct {
	// On is the topic or broker that the throttle was to be set on.
	On  kafkaapi.Entity
	Err error
}

// Error says why in the broker's words, and the way out.
func (e *UnusableError) Error() string {
	return fmt.Sprintf("throttle_bytes_per_second cannot be used here: on %s, %v. Without its throttle nothing is moved; %s", e.On, e.Err, e.wayOut())
}

func (e *UnusableError) Unwrap() error { return e.Err }

func (e *UnusableError) wayOut() string {
	var refused *kafkaapi.Error
	switch {
	case errors.As(e.Err, &refused) && refused.Permission != "":
		return fmt.Sprintf("grant %s, or remove throttle_bytes_per_second from the provider block to move without a limit.", refused.Permission)
	default:
		return "apply again, or remove throttle_bytes_per_second from the provider block to move without a limit."
	}
}

// isAbsent tells whether an error says that the platform has no replication throttle: it describes no such configs, or does not know them
// when they are written.
func isAbsent(err error) bool {
	return errors.Is(err, errNoKeys) || errors.Is(err, kafkaapi.ErrUnsupported) || errors.Is(err, kafkaapi.ErrInvalidConfig)
}

// Speed is a rate for people, with the bytes that it stands for: rates are easily mistaken by a factor of a million.
func Speed(bytesPerSecond int64) string {
	if bytesPerSecond < 0 {
		return "a hidden value"
	}
	return fmt.Sprintf("%s/s (%d bytes per second)", humanize.Bytes(uint64(bytesPerSecond)), bytesPerSecond)
}

// removeRates is how to remove a broker's rates by hand: those of the keys, or both where none is given.
func removeRates(id int32, keys ...string) string {
	if len(keys) == 0 {
		keys = rateKeys[:]
	}
	return fmt.Sprintf("kafka-configs.sh --bootstrap-server ... --alter --entity-type brokers --entity-name %d --delete-config %s", id, strings.Join(keys, ","))
}

// keysWith are the keys of the sides that have a rate.
func keysWith(of [sides]int64) []string {
	var keys []string
	for side, value := range of {
		if value != 0 {
			keys = append(keys, rateKeys[side])
		}
	}
	return keys
}

// removeEntries is how to remove a topic's lists by hand.
func removeEntries(topic string) string {
	return fmt.Sprintf("kafka-configs.sh --bootstrap-server ... --alter --entity-type topics --entity-name %s --delete-config %s", topic, strings.Join(listKeys[:], ","))
}

// idsText lists brokers: "1, 2".
func idsText(ids []int32) string {
	texts := make([]string, 0, len(ids))
	for _, id := range ids {
		texts = append(texts, strconv.Itoa(int(id)))
	}
	return strings.Join(texts, ", ")
}

func keysOf[K cmp.Ordered, V any](m map[K]V) []K { return slices.Sorted(maps.Keys(m)) }
