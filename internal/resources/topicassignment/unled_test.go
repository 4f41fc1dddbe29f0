// SPDX-License-Identifier: MPL-2.0

package topicassignment

import (
	"context"
	"slices"
	"testing"

	"github.com/kafka-layout/terraform-provider-kafka/internal/kafkaapi"
	"github.com/kafka-layout/terraform-provider-kafka/internal/placement"
)

// asPrincipal answers whether moving and electing is allowed, and nothing else.
type asPrincipal struct {
	Kafka
	may bool
	err error
}

func (p asPrincipal) MayAlterCluster(context.Context) (bool, error) { return p.may, p.err }

// C-72, C-96: which leaders a create elects of partitions that it does not move, and that nobody is held up who may not elect.
func TestLeftUnled(t *testing.T) {
	l := topicAt(placement.Assignment{{1, 2}, {1, 2}, {1, 2}, {1, 2}, {1, 2}}, map[int32]kafkaapi.Reassignment{4: {Replicas: []int32{1, 2}, Adding: []int32{1}}})
	l.leaders = []int32{1, 2, 2, 2, 2}
	l.inSync[2] = []int32{2}
	wanted := placement.Assignment{{1, 2}, {1, 2}, {1, 2}, {2, 1}, {1, 2}} // led, unled, lagging, to be moved, moving
	for name, c := range map[string]struct {
		as   asPrincipal
		want []int32
	}{
		"may":             {asPrincipal{may: true}, []int32{1}},
		"may not":         {asPrincipal{}, nil},
		"cannot be known": {asPrincipal{may: true, err: kafkaapi.ErrUnsupported}, nil},
	} {
		if got := leftUnled(t.Context(), c.as, l, wanted); !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
	if got := unled(l, wanted[:1]); len(got) > 0 {
		t.Errorf("Partitions that are not wanted: %v", got)
	}
}
