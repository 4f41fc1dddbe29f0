// SPDX-License-Identifier: MPL-2.0

package topicassignment

import (
	"context"
	"encoding/json"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/kafka-layout/terraform-provider-kafka/internal/kafkaapi"
	"github.com/kafka-layout/terraform-provider-kafka/internal/placement"
	"github.com/kafka-layout/terraform-provider-kafka/internal/reassign"
)

// memory is what the resource keeps in private state: the cluster as the last refresh saw it, which the plan is made from, and what
// an earlier apply left to do.
type memory struct {
	// Brokers are all registered brokers, in order of their ids.
	Brokers []brokerMemory `json:"brokers,omitempty"`
	// TopicID tells a topic from one of the same name that was made after it; empty before Kafka 2.8.
	TopicID string `json:"topic_id,omitempty"`
	// Moving: moves to the layout in state were in flight.
	Moving bool `json:"moving,omitempty"`
	// Owed are partitions whose first replica is still to be made leader.
	Owed []int32 `json:"owed,omitempty"`
	// Former are the lists that the partitions in flight had before their move, where an apply ended early: a cancel by a later one
	// restores their order by these.
	Former map[int32][]int32 `json:"former,omitempty"`
	// Throttle is what an apply set and could not take back, as moves in flight need it.
	Throttle *reassign.Throttle `json:"throttle,omitempty"`
	// LeftOver: the topic carries throttle entries that nothing needs.
	LeftOver bool `json:"left_over,omitempty"`
	// Imported: the state comes from an import and has not been refreshed yet.
	Imported bool `json:"imported,omitempty"`
}

type brokerMemory struct {
	ID     int32  `json:"id"`
	Rack   string `json:"rack,omitempty"`
	Fenced bool   `json:"fenced,omitempty"`
}

const memoryKey = "topicassignment"

type privateReader interface {
	GetKey(ctx context.Context, key string) ([]byte, diag.Diagnostics)
}

type privateWriter interface {
	SetKey(ctx context.Context, key string, value []byte) diag.Diagnostics
}

func readMemory(ctx context.Context, from privateReader) (memory, diag.Diagnostics) {
	var m memory
	raw, diags := from.GetKey(ctx, memoryKey)
	if diags.HasError() || len(raw) == 0 {
		return m, diags
	}
	if err := json.Unmarshal(raw, &m); err != nil {
		diags.AddError("Cannot read the private state of the resource",
			"The provider's own data in the state file is damaged: "+err.Error()+". Restore the state from a backup, or remove the resource from state and import it again.")
	}
	return m, diags
}

func (m memory) write(ctx context.Context, to privateWriter) diag.Diagnostics {
	raw, err := json.Marshal(m)
	if err != nil {
		return diag.Diagnostics{diag.NewErrorDiagnostic("Cannot write the private state of the resource", err.Error())}
	}
	return to.SetKey(ctx, memoryKey, raw)
}

func rememberBrokers(all []kafkaapi.RegisteredBroker) []brokerMemory {
	remembered := make([]brokerMemory, 0, len(all))
	for _, b := range all {
		remembered = append(remembered, brokerMemory{ID: b.ID, Rack: b.Rack, Fenced: b.Fenced})
	}
	return remembered
}

// brokers are the remembered ones for placement, and which of them should receive nothing.
func (m memory) brokers() (all []placement.Broker, avoid []int32) {
	for _, b := range m.Brokers {
		all = append(all, placement.Broker{ID: b.ID, Rack: b.Rack})
		if b.Fenced {
			avoid = append(avoid, b.ID)
		}
	}
	return all, avoid
}

// pending tells whether something of an apply is left to finish.
func (m memory) pending() types.Bool {
	return types.BoolValue(m.Moving || len(m.Owed) > 0 || m.LeftOver)
}

// find gives a remembered broker.
func (m memory) find(id int32) (brokerMemory, bool) {
	i := slices.IndexFunc(m.Brokers, func(b brokerMemory) bool { return b.ID == id })
	if i < 0 {
		return brokerMemory{}, false
	}
	return m.Brokers[i], true
}
