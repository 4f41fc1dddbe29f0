// SPDX-License-Identifier: MPL-2.0

package reassign

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/kafka-layout/terraform-provider-kafka/internal/kafkaapi"
)

// What could not be taken back is in flight, with the reason, in bounded time: the cluster does not tell, the brokers refuse, or the cancellation
// does not show. What had ended before it could be cancelled is done.
func TestNotTakenBack(t *testing.T) {
	refusal := &kafkaapi.Error{Code: 39, CodeName: "INVALID_REPLICA_ASSIGNMENT", Message: "it would require an unclean leader election"}
	for name, c := range map[string]struct {
		untold  bool
		refusal error
		ends    bool
		says    string
	}{
		"not told":      {untold: true, says: "the cluster did not tell where it is"},
		"refused":       {refusal: refusal, says: "refused to cancel it"},
		"not confirmed": {says: "its cancellation was not confirmed in time"},
		"had ended":     {refusal: kafkaapi.ErrNoReassignment, ends: true},
	} {
		synctest.Test(t, func(t *testing.T) {
			ctx, interrupt := context.WithCancel(t.Context())
			time.AfterFunc(5*time.Second, interrupt)
			kafka := &scripted{}
			kafka.at = func(string, int) kafkaapi.Layout {
				if c.ends && ctx.Err() != nil && len(kafka.submitted) > 1 {
					return rest(1, 3)
				}
				return flight()
			}
			kafka.listing = func(int) error {
				if c.untold && ctx.Err() != nil {
					return errors.New("no controller")
				}
				return nil
			}
			kafka.answer = func(_ context.Context, sent map[int32][]int32) map[int32]error {
				if sent[0] == nil && c.refusal != nil {
					return map[int32]error{0: c.refusal}
				}
				return nil
			}
			e := New(kafka, Settings{}, nil)
			start := time.Now()
			o, err := e.Run(ctx, Job{Topic: "orders", Moves: swap(), OnInterruption: Cancel})
			if took := time.Since(start); !errors.Is(err, context.Canceled) || took > 5*time.Second+cancelTime+time.Second {
				t.Errorf("%s: %v after %s", name, err, took)
			}
			if c.ends {
				if !slices.Equal(o.Done, []int32{0}) || len(o.Kept) > 0 {
					t.Errorf("%s: %+v", name, o)
				}
			} else if !slices.Equal(o.InFlight, []int32{0}) || !strings.Contains(o.Kept[0], c.says) {
				t.Errorf("%s: %+v, want %q", name, o, c.says)
			}
			idle(t, e)
		})
	}
}
