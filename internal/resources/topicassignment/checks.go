// SPDX-License-Identifier: MPL-2.0

package topicassignment

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/kafka-layout/terraform-provider-kafka/internal/placement"
)

// The checks that skip_checks can name.
const (
	checkOfflineBroker   = "offline_broker"
	checkUneven          = "uneven_replication_factor"
	checkMinInSync       = "min_insync_replicas"
	checkRackSpread      = "rack_spread"
	checkDiskSpace       = "disk_space"
	checkForeign         = "foreign_reassignment"
	checkInternal        = "internal_topic"
	wholeTopic           = -1
	reassignmentsCommand = "kafka-reassign-partitions.sh --cancel"
)

var checkNames = []string{checkOfflineBroker, checkUneven, checkMinInSync, checkRackSpread, checkDiskSpace, checkForeign, checkInternal}

// finding is one reason against a planned layout.
type finding struct {
	// check is the name to skip it by, empty where it cannot be skipped.
	check     string
	partition int
	summary   string
	detail    string
}

// skipped tells whether the check is among the named ones.
func (f finding) skipped(names []string) bool {
	return f.check != "" && slices.Contains(names, f.check)
}

// report puts the finding on the partition's list where the configuration has one.
func (f finding) report(topic string, explicit bool, diags *diag.Diagnostics) {
	detail := f.detail
	if f.check != "" {
		detail += fmt.Sprintf(" To do it all the same, add %q to skip_checks.", f.check)
	}
	summary := fmt.Sprintf("%s: topic %q", f.summary, topic)
	switch {
	case explicit && f.partition != wholeTopic:
		diags.AddAttributeError(listPath(f.partition), summary, detail)
	case explicit:
		diags.AddAttributeError(path.Root(attrAssignment), summary, detail)
	default:
		diags.AddError(summary, detail)
	}
}

// findings runs every check on what the plan adds.
func findings(f facts) []finding {
	if len(f.wanted) < len(f.targets) {
		return []finding{{partition: wholeTopic, summary: "Partitions cannot be taken away", detail: fewerText(len(f.targets), len(f.wanted))}}
	}
	var all []finding
	for _, p := range f.changed() {
		all = append(all, f.unknownBrokers(p)...)
	}
	if len(all) > 0 {
		return all // the other checks would speak of brokers that do not exist
	}
	for _, check := range []func() []finding{f.cannotMove, f.internalTopic, f.foreignMoves, f.offlineBrokers, f.unevenReplicas, f.tooFewForMinInSync, f.fewerRacks, f.diskSpace} {
		all = append(all, check()...)
	}
	return all
}

func (f facts) unknownBrokers(p int) []finding {
	var all []finding
	for _, id := range addedTo(f.targets, f.wanted, p) {
		if _, known := f.broker(id); !known && f.registered {
			all = append(all, finding{partition: p, summary: fmt.Sprintf("Broker %d does not exist", id),
				detail: fmt.Sprintf("Partition %d is to have a replica on broker %d, but the cluster's brokers are %s. Name one of these, or start the broker first.", p, id, idList(f.brokerIDs()))})
		}
	}
	return all
}

func (f facts) brokerIDs() []int32 {
	var ids []int32
	for _, b := range f.brokers {
		ids = append(ids, b.ID)
	}
	return ids
}

// cannotMove refuses what the cluster has no request for.
func (f facts) cannotMove() []finding {
	if !f.fixed || !moves(f) {
		return nil
	}
	return []finding{{partition: wholeTopic, summary: "This cluster cannot move replicas",
		detail: "It offers no AlterPartitionReassignments, which Kafka has since 2.4; partitions can be added, and configs be managed, without it."}}
}

func (f facts) internalTopic() []finding {
	if !f.internal {
		return nil
	}
	return []finding{{check: checkInternal, partition: wholeTopic, summary: "The topic is Kafka's own",
		detail: "More partitions of an internal topic break look-ups of what is in it, and moving it disturbs every client of the cluster."}}
}

func (f facts) foreignMoves() []finding {
	foreign := f.foreign(f.wanted, f.state)
	if len(foreign) == 0 {
		return nil
	}
	lines := make([]string, 0, len(foreign))
	for _, p := range foreign {
		move := f.moving[p]
		lines = append(lines, fmt.Sprintf("  partition %d: adding %s, removing %s", p, idList(move.Adding), idList(move.Removing)))
	}
	return []finding{{check: checkForeign, partition: wholeTopic, summary: "Somebody else is moving partitions elsewhere",
		detail: "These partitions are being moved to other brokers than planned:\n\n" + strings.Join(lines, "\n") +
			"\n\nWait until that is done, or cancel it with " + reassignmentsCommand + ", and plan again."}}
}

func (f facts) offlineBrokers() []finding {
	var all []finding
	reported := map[int32]bool{}
	for _, p := range f.changed() {
		for _, id := range addedTo(f.targets, f.wanted, p) {
			b, known := f.broker(id)
			if (known && !b.Fenced) || reported[id] {
				continue
			}
			reported[id] = true
			all = append(all, finding{check: checkOfflineBroker, partition: p, summary: fmt.Sprintf("Broker %d is not alive", id),
				detail: fmt.Sprintf("Partition %d is to have a replica on broker %d, which is down, so the move would not end until it is back. Start the broker, or choose another.", p, id)})
		}
	}
	return all
}

func (f facts) unevenReplicas() []finding {
	byCount := map[int][]int{}
	for p, list := range f.wanted {
		byCount[len(list)] = append(byCount[len(list)], p)
	}
	adds := slices.ContainsFunc(f.changed(), func(p int) bool {
		before, after := len(listAt(f.targets, p)), len(f.wanted[p])
		likeOthers := before == 0 && f.hasListsOf(after) // a new one, which adds no unevenness
		return before != after && !likeOthers
	})
	if len(byCount) < 2 || !adds {
		return nil
	}
	var groups []string
	for _, n := range slices.Sorted(maps.Keys(byCount)) {
		groups = append(groups, fmt.Sprintf("%d replicas: partitions %s", n, idList(byCount[n])))
	}
	return []finding{{check: checkUneven, partition: wholeTopic, summary: "Partitions would have different replication factors", detail: strings.Join(groups, "; ") + "."}}
}

// hasListsOf tells whether a partition has so many replicas now.
func (f facts) hasListsOf(n int) bool {
	return slices.ContainsFunc(f.targets, func(list []int32) bool { return len(list) == n })
}

func (f facts) tooFewForMinInSync() []finding {
	var all []finding
	for _, p := range f.fewerReplicas(f.minInSync) {
		all = append(all, finding{check: checkMinInSync, partition: p, summary: "Fewer replicas than min.insync.replicas",
			detail: fmt.Sprintf("Partition %d is to have %d replica(s), but min.insync.replicas is %d, so producers with acks=all would be refused. Lower min.insync.replicas first.",
				p, len(f.wanted[p]), f.minInSync)})
	}
	return all
}

func (f facts) fewerRacks() []finding {
	if f.ignoreRacks {
		return nil
	}
	racks := map[int32]string{}
	for _, b := range f.brokers {
		racks[b.ID] = b.Rack
	}
	candidates := f.candidates()
	var all []finding
	for _, p := range f.changed() {
		before, after := listAt(f.targets, p), f.wanted[p]
		was, will := distinctRacks(before, racks), distinctRacks(after, racks)
		if len(addedTo(f.targets, f.wanted, p)) == 0 || will >= was || will >= placement.PossibleRacks(len(after), candidates) {
			continue
		}
		all = append(all, finding{check: checkRackSpread, partition: p, summary: "Replicas would be on fewer racks",
			detail: fmt.Sprintf("Partition %d is on %d racks now and would be on %d, although %d replicas can be on %d. One rack's failure would take more of it.",
				p, was, will, len(after), placement.PossibleRacks(len(after), candidates))})
	}
	return all
}

// candidates are the brokers that may hold replicas.
func (f facts) candidates() []placement.Broker {
	return slices.DeleteFunc(f.placementBrokers(), func(b placement.Broker) bool { return f.allowed != nil && !slices.Contains(f.allowed, b.ID) })
}

func distinctRacks(ids []int32, racks map[int32]string) int {
	seen := map[string]bool{}
	for _, id := range ids {
		seen[racks[id]] = true
	}
	return len(seen)
}

func (f facts) diskSpace() []finding {
	incoming := map[int32]int64{}
	for p := range f.targets {
		for _, id := range addedTo(f.present, f.wanted, p) {
			incoming[id] += max(f.sizes[p], 0)
		}
	}
	var all []finding
	for _, id := range slices.Sorted(maps.Keys(incoming)) {
		if usable, known := f.usable[id]; known && incoming[id] > usable {
			all = append(all, finding{check: checkDiskSpace, partition: wholeTopic, summary: fmt.Sprintf("Broker %d has too little disk space", id),
				detail: fmt.Sprintf("%s would be copied to broker %d, whose largest volume has %s usable.", bytesText(incoming[id]), id, bytesText(usable))})
		}
	}
	return all
}

func idList[N int | int32](ids []N) string {
	texts := make([]string, 0, len(ids))
	for _, id := range ids {
		texts = append(texts, fmt.Sprint(id))
	}
	return "[" + strings.Join(texts, ", ") + "]"
}
