// SPDX-License-Identifier: MPL-2.0

package throttle

import (
	"github.com/kafka-layout/terraform-provider-kafka/internal/reassign"
)

// LeftOn tells whether a topic carries throttle entries that nothing needs: explicit ones of partitions that do not move. own are the topic's
// own configs by name; a "*" is somebody's decision, and a list that cannot be read nobody's business here.
func LeftOn(own map[string]string, moving func(partition int32) bool) bool {
	lists, err := parseLists(own)
	return err == nil && !leftEntries(lists, moving).empty()
}

// leftEntries are the explicit entries of partitions that do not move.
func leftEntries(lists topicLists, moving func(partition int32) bool) entries {
	return lists.explicit().where(func(r reassign.Replica) bool { return !moving(r.Partition) })
}

// leftBehind decides on a rate of a broker which entries at rest lead to: the value if an earlier run set it, which it noted or which shows by
// being the configured one. Any other is somebody's.
func (r rate) leftBehind(configured, noted int64) (value int64, ours bool) {
	if !r.set || r.own <= 0 || r.own != noted && r.own != configured {
		return 0, false
	}
	return r.own, true
}
