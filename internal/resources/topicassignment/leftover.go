// SPDX-License-Identifier: MPL-2.0

package topicassignment

import (
	"context"
	"fmt"

	"github.com/kafka-layout/terraform-provider-kafka/internal/reassign"
	"github.com/kafka-layout/terraform-provider-kafka/internal/reassign/throttle"
)

// moves tells whether a partition is being moved, by whomever.
func (l live) moves(partition int32) bool {
	_, is := l.moving[partition]
	return is
}

// leftOver is what earlier applies left of their throttle, for the executor to take back, and what a person should know of it.
func (a *applying) leftOver(ctx context.Context, l live) (left reassign.Throttle, warnings []string) {
	search := throttle.Search{Topic: a.topic, Moving: l.moves, BytesPerSecond: a.throttle}
	if a.noted != nil {
		search.Noted = *a.noted
	}
	left, warnings, err := throttle.FindLeftOvers(ctx, a.kafka, search)
	if err != nil {
		warnings = append(warnings, "What earlier applies left of their throttle is not known: "+explain(err))
	}
	return left, warnings
}

func (a *applying) warnOfMoves(texts []string) {
	for _, text := range texts {
		a.diags.AddWarning(fmt.Sprintf("About the moves of topic %q", a.topic), text)
	}
}
