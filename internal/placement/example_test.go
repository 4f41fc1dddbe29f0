// SPDX-License-Identifier: MPL-2.0

package placement_test

import (
	"fmt"

	"github.com/kafka-layout/terraform-provider-kafka/internal/placement"
)

// Broker 4 is taken out of service: only its replica moves.
func ExampleChange() {
	brokers := []placement.Broker{{ID: 1, Rack: "a"}, {ID: 2, Rack: "b"}, {ID: 3, Rack: "c"}, {ID: 4, Rack: "a"}}
	now := placement.Assignment{{4, 2, 3}, {1, 2, 3}, {2, 3, 1}}
	next, err := placement.Change("orders", now, placement.Target{
		ReplicationFactor: 3, Brokers: brokers, Allowed: []int32{1, 2, 3},
	})
	fmt.Println(next, err)
	cost := placement.CostOf(now, next, brokers, []int64{1 << 20, 1 << 20, 1 << 20})
	fmt.Println(cost.Replicas, "replica,", cost.Bytes, "bytes,", cost.Leaders, "leader")
	// Output:
	// [[3 2 1] [1 2 3] [2 3 1]] <nil>
	// 1 replica, 1048576 bytes, 1 leader
}
