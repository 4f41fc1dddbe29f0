// SPDX-License-Identifier: MPL-2.0

package testbed

import (
	"testing"

	"github.com/twmb/franz-go/pkg/kadm"
)

func TestProduce(t *testing.T) {
	c := Shared(t)
	topic := c.UniqueTopic(t, 3, 2)
	const each = 5 << 20
	c.Produce(t, topic, 2, each)
	admin := c.Admin(t)
	dirs, err := admin.DescribeAllLogDirs(t.Context(), kadm.TopicsSet{topic: {0: {}, 1: {}, 2: {}}})
	if err != nil {
		t.Fatal(err)
	}
	replicas := 0
	dirs.Each(func(d kadm.DescribedLogDir) {
		d.Topics.Each(func(p kadm.DescribedLogDirPartition) {
			replicas++
			if written := p.Partition < 2; written && (p.Size < each || p.Size > each+each/5) || !written && p.Size != 0 {
				t.Errorf("the replica of partition %d on broker %d has %d bytes", p.Partition, p.Broker, p.Size)
			}
		})
	})
	if replicas != 6 {
		t.Errorf("%d replicas, want 6", replicas)
	}
}
