// SPDX-License-Identifier: MPL-2.0

package reassign

import (
	"fmt"

	"github.com/dustin/go-humanize"

	"github.com/kafka-layout/terraform-provider-kafka/internal/kafkaapi"
)

// disk is the room that a broker has.
type disk struct {
	// largest is what its emptiest volume takes, all what all of them take together, in bytes.
	largest, all int64
}

// disksOf takes the room from brokers' answers. A broker that did not answer, or does not tell (before Kafka 3.3), is not among them.
func disksOf(answers []kafkaapi.BrokerLogDirs) map[int32]disk {
	disks := map[int32]disk{}
	for _, answer := range answers {
		for _, dir := range answer.Dirs {
			if dir.Err != nil || dir.UsableBytes < 0 {
				continue
			}
			d := disks[answer.Broker]
			disks[answer.Broker] = disk{largest: max(d.largest, dir.UsableBytes), all: d.all + dir.UsableBytes}
		}
	}
	return disks
}

// incoming are bytes on their way to a broker's disks.
type incoming map[int32]int64

// noRoom says which broker lacks the room for one more copy of each of size bytes beside what is on its way, or empty.
func noRoom(disks map[int32]disk, coming incoming, adding []int32, size int64) string {
	for _, id := range adding {
		d, known := disks[id]
		if known && (size > d.largest || coming[id]+size > d.all) {
			return fmt.Sprintf("broker %d has %s of disk space left, and %s are to be copied to it", id, bytesText(d.all), bytesText(coming[id]+size))
		}
	}
	return ""
}

func (c incoming) add(adding []int32, size int64) {
	for _, id := range adding {
		c[id] += max(size, 0)
	}
}

func bytesText(n int64) string { return humanize.IBytes(uint64(max(n, 0))) }
