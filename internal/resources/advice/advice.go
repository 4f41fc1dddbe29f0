// SPDX-License-Identifier: MPL-2.0

// Package advice says what a person can do about an error of the Kafka client, in the same words for every resource.
package advice

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"unicode"

	"github.com/kafka-layout/terraform-provider-kafka/internal/kafkaapi"
)

// WayOut gives the sentence that follows the reason; empty where only the resource knows what helps.
func WayOut(err error) string {
	var refusal *kafkaapi.Error
	var broker *kafkaapi.BrokerError
	switch {
	case errors.As(err, &refusal) && refusal.Permission != "":
		return fmt.Sprintf("Grant %s to the principal that this provider connects as, or connect as another one.", refusal.Permission)
	case errors.Is(err, kafkaapi.ErrWrongCluster):
		return "Nothing was read or written. Correct bootstrap_servers or cluster_id of the provider."
	case errors.Is(err, kafkaapi.ErrAuthentication):
		return "Correct sasl of the provider (or the KAFKA_SASL_ variables). It was tried once, and no other broker was asked, as repeated failures lock accounts."
	case kafkaapi.Blamed(err) == "tls":
		return "Correct tls of the provider (or the KAFKA_TLS_ variables), the host or port in bootstrap_servers, or the certificate of the broker."
	case kafkaapi.Blamed(err) == "sasl":
		return "Correct sasl of the provider (or the KAFKA_SASL_ variables), or the port in bootstrap_servers."
	case errors.Is(err, kafkaapi.ErrConnect):
		return "Correct bootstrap_servers of the provider (or KAFKA_BOOTSTRAP_SERVERS), or make the brokers reachable from here."
	case errors.As(err, &broker) && len(broker.Live) > 0:
		return "Bring the broker back if it is down, or correct its id, and run again."
	case errors.Is(err, kafkaapi.ErrBrokerUnavailable):
		return "Bring the broker back, or raise the provider's request_timeout if it is only slow, and run again."
	}
	return ""
}

// Ended gives the sentence for a call whose time was over or which was interrupted; empty for every other error.
func Ended(err error) string {
	switch {
	case errors.Is(err, context.Canceled):
		return "The run was interrupted. Run it again: what the brokers have taken over already is kept."
	case errors.Is(err, context.DeadlineExceeded):
		return "The time given in the timeouts block is over" + waitedFor(err) + ". Raise it, or find out why the brokers are so slow, and run again."
	}
	return ""
}

// waitedFor is what an error says of the time that ran out, as the end of a sentence; empty where it says nothing.
func waitedFor(err error) string {
	what, ok := strings.CutSuffix(err.Error(), ": "+context.DeadlineExceeded.Error())
	if !ok {
		return ""
	}
	return ", " + strings.TrimSuffix(Sentence(what), ".")
}

// Sentence closes a text that a broker may have written, and takes out of it what a terminal would take for a command.
func Sentence(text string) string {
	text = strings.Map(func(r rune) rune {
		switch {
		case r == '\r':
			return -1
		case unicode.IsControl(r) && r != '\n' && r != '\t':
			return unicode.ReplacementChar
		default:
			return r
		}
	}, text)
	return strings.TrimRight(text, " \t\n.") + "."
}
