// SPDX-License-Identifier: MPL-2.0

package topicassignment

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/kafka-layout/terraform-provider-kafka/internal/kafkaapi"
)

// explain gives the detail of a diagnostic: the reason, in the broker's words where there are any, and the way out.
func explain(err error) string {
	reason := strings.TrimSuffix(err.Error(), ".") + "."
	var refusal *kafkaapi.Error
	var unfinished *unfinishedError
	var absent *absentError
	switch {
	case errors.As(err, &absent):
		return absent.Error()
	case errors.As(err, &unfinished) && errors.Is(err, context.Canceled):
		return "The run was interrupted: " + reason
	case errors.As(err, &unfinished):
		return "The time given in the timeouts block is over: " + reason
	case errors.As(err, &refusal) && refusal.Permission != "":
		return reason + fmt.Sprintf(" Grant %s to the principal that this provider connects as, or connect as another one.", refusal.Permission)
	case errors.Is(err, kafkaapi.ErrUnsupported):
		return reason + " This cluster offers no way to do that, so the layout of its topics cannot be managed; configs can."
	case errors.Is(err, kafkaapi.ErrWrongCluster):
		return reason + " Nothing was read or written. Correct bootstrap_servers or cluster_id of the provider."
	case errors.Is(err, kafkaapi.ErrConnect):
		return reason + " Correct bootstrap_servers of the provider, or make the brokers reachable from here."
	case errors.Is(err, kafkaapi.ErrBrokerUnavailable):
		return reason + " Bring the broker back, or raise the provider's request_timeout if it is only slow, and run again."
	case errors.Is(err, context.Canceled):
		return "The run was interrupted. Run it again: what the brokers have taken over already is kept."
	case errors.Is(err, context.DeadlineExceeded):
		return "The time given in the timeouts block is over. Raise it, or find out why the brokers are so slow, and run again."
	default:
		return reason
	}
}
