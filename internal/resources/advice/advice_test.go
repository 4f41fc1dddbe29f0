// SPDX-License-Identifier: MPL-2.0

package advice

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/kafka-layout/terraform-provider-kafka/internal/kafkaapi"
)

func TestWayOut(t *testing.T) {
	for _, c := range []struct {
		err  error
		want string
	}{
		{&kafkaapi.Error{CodeName: "TOPIC_AUTHORIZATION_FAILED", Permission: `ALTER_CONFIGS on Topic "a"`}, `Grant ALTER_CONFIGS on Topic "a" to the principal`},
		{&kafkaapi.Error{CodeName: "INVALID_CONFIG"}, ""},
		{fmt.Errorf("wrapped: %w", &kafkaapi.WrongClusterError{Want: "a", Got: "b"}), "Nothing was read or written."},
		{&kafkaapi.ConnectError{}, "KAFKA_BOOTSTRAP_SERVERS"},
		{&kafkaapi.AuthenticationError{}, "It was tried once"},
		{&kafkaapi.BrokerError{Broker: 9, Live: []int32{1}}, "correct its id"},
		{&kafkaapi.BrokerError{Broker: 1, Address: "a:1"}, "request_timeout"},
		{errors.New("else"), ""},
	} {
		if got := WayOut(c.err); !strings.Contains(got, c.want) || (c.want == "") != (got == "") {
			t.Errorf("%v: %q", c.err, got)
		}
	}
}

// C-136: where an error says what the time ran out over, so does the sentence.
func TestEndedNamesWhatWasWaitedFor(t *testing.T) {
	err := fmt.Errorf("waiting for broker 2 to answer: %w", context.DeadlineExceeded)
	want := "The time given in the timeouts block is over, waiting for broker 2 to answer. Raise it, "
	if got := Ended(err); !strings.HasPrefix(got, want) {
		t.Errorf("%q", got)
	}
}

func TestEnded(t *testing.T) {
	for err, want := range map[error]string{context.Canceled: "interrupted", context.DeadlineExceeded: "timeouts block", errors.New("else"): ""} {
		if got := Ended(err); !strings.Contains(got, want) || (want == "") != (got == "") {
			t.Errorf("%v: %q", err, got)
		}
	}
}
