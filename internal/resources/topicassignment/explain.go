// SPDX-License-Identifier: MPL-2.0

package topicassignment

import (
	"context"
	"errors"

	"github.com/kafka-layout/terraform-provider-kafka/internal/kafkaapi"
	"github.com/kafka-layout/terraform-provider-kafka/internal/resources/advice"
)

// explain gives the detail of a diagnostic: the reason, in the broker's words where there are any, and the way out.
func explain(err error) string {
	reason := advice.Sentence(err.Error())
	var unfinished *unfinishedError
	var absent *absentError
	switch {
	case errors.As(err, &absent):
		return absent.Error()
	case errors.As(err, &unfinished) && errors.Is(err, context.Canceled):
		return "The run was interrupted: " + reason
	case errors.As(err, &unfinished):
		return "The time given in the timeouts block is over: " + reason
	case errors.Is(err, kafkaapi.ErrUnsupported):
		return reason + " This cluster offers no way to do that, so the layout of its topics cannot be managed; configs can."
	}
	if ended := advice.Ended(err); ended != "" {
		return ended
	}
	if wayOut := advice.WayOut(err); wayOut != "" {
		return reason + " " + wayOut
	}
	return reason
}
