// SPDX-License-Identifier: MPL-2.0

package topicassignment

import (
	"context"
	"errors"
	"strings"

	"github.com/kafka-layout/terraform-provider-kafka/internal/kafkaapi"
	"github.com/kafka-layout/terraform-provider-kafka/internal/reassign"
	"github.com/kafka-layout/terraform-provider-kafka/internal/resources/advice"
)

// explain gives the detail of a diagnostic: the reason, in the broker's words where there are any, and the way out.
func explain(err error) string {
	reason := advice.Sentence(err.Error())
	var unfinished *unfinishedError
	var absent *absentError
	var halted *haltedError
	switch {
	case errors.As(err, &absent):
		return absent.Error()
	case errors.As(err, &halted):
		return haltedText(halted, err)
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

// haltedText says why moves were given up, what has become of them, and what was refused besides.
func haltedText(halted *haltedError, whole error) string {
	var gone *reassign.GoneError
	if errors.As(halted.why, &gone) {
		return advice.Sentence(upper(gone.Error())) + " What was moving of it is gone as well. Plan again."
	}
	texts := halted.Error()
	if texts == "" {
		texts = "nothing was begun"
	}
	var stalled *reassign.StalledError
	var text string
	switch {
	case errors.As(halted.why, &stalled):
		text = "The move does not come to its end. " + advice.Sentence(upper(stalled.Error())) + " " + advice.Sentence(upper(texts))
	case errors.Is(halted.why, context.Canceled):
		text = "The run was interrupted: " + advice.Sentence(texts)
	case errors.Is(halted.why, context.DeadlineExceeded):
		text = "The time given in the timeouts block is over: " + advice.Sentence(texts)
	default:
		text = strings.TrimSpace(advice.Sentence(halted.why.Error()) + " " + advice.WayOut(halted.why))
		if halted.Error() != "" {
			text += " " + advice.Sentence(upper(texts))
		}
	}
	var refused *refusedError
	if errors.As(whole, &refused) {
		text += " " + advice.Sentence(upper(refused.Error()))
	}
	return text
}

// upper makes a text the begin of a sentence.
func upper(text string) string { return strings.ToUpper(text[:1]) + text[1:] }
