// SPDX-License-Identifier: MPL-2.0

package topicassignment_test

import (
	"slices"

	"github.com/twmb/franz-go/pkg/kmsg"

	"github.com/kafka-layout/terraform-provider-kafka/internal/testbed"
)

// told changes what the cluster tells of its brokers, until stop is called. Racks and membership decide nothing in what the brokers
// themselves do with a list of replicas, so one cluster can play many.
func (b bench) told(edit func(*kmsg.DescribeClusterResponse)) (stop func()) {
	return b.rec.Intercept(func(q testbed.Request) testbed.Verdict {
		if q.Key != int16(kmsg.DescribeCluster) {
			return testbed.Forward()
		}
		return testbed.EditAnswer(func(answer kmsg.Response) { edit(answer.(*kmsg.DescribeClusterResponse)) })
	})
}

// racks has the cluster tell these racks, empty for none.
func (b bench) racks(of map[int32]string) {
	b.t.Cleanup(b.told(func(answer *kmsg.DescribeClusterResponse) {
		for i := range answer.Brokers {
			answer.Brokers[i].Rack = nil
			if rack := of[answer.Brokers[i].NodeID]; rack != "" {
				answer.Brokers[i].Rack = &rack
			}
		}
	}))
}

// moveRack has one broker stand in another rack meanwhile.
func (b bench) moveRack(id int32, rack string, meanwhile func()) {
	stop := b.told(func(answer *kmsg.DescribeClusterResponse) {
		for i := range answer.Brokers {
			if answer.Brokers[i].NodeID == id {
				answer.Brokers[i].Rack = &rack
			}
		}
	})
	defer stop()
	meanwhile()
}

// without has one broker not registered meanwhile.
func (b bench) without(id int32, meanwhile func()) {
	stop := b.told(func(answer *kmsg.DescribeClusterResponse) {
		answer.Brokers = slices.DeleteFunc(answer.Brokers, func(one kmsg.DescribeClusterResponseBroker) bool { return one.NodeID == id })
	})
	defer stop()
	meanwhile()
}
