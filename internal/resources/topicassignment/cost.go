// SPDX-License-Identifier: MPL-2.0

package topicassignment

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/dustin/go-humanize"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/kafka-layout/terraform-provider-kafka/internal/placement"
)

// shownPartitions is how many partitions a warning lists.
const shownPartitions = 20

// warn tells what the planned layout costs and whatever else a person should know before it is applied.
func (p planning) warn(ctx context.Context, f facts, whole bool) {
	cost := placement.CostOf(f.targets, f.wanted, f.placementBrokers(), f.sizes)
	if len(cost.Changes) > 0 || len(f.toward(f.wanted)) > 0 {
		p.resp.Diagnostics.AddWarning(fmt.Sprintf("What the new layout of topic %q costs", p.topic), costText(f, cost, whole, p.duration(ctx, f, cost)))
	}
	if f.state == nil && p.plan.Elect.ValueBool() {
		p.warnOfElections(leftUnled(ctx, p.kafka, f.live, f.wanted))
	}
	if text := p.declaration.strangers(rememberBrokers(f.brokers)); text != "" && f.registered {
		p.resp.Diagnostics.AddAttributeWarning(path.Root(attrPlacement), fmt.Sprintf("Unknown brokers may hold replicas of topic %q", p.topic),
			strings.TrimSpace(text)+" The others get the replicas.")
	}
	p.resp.Diagnostics.Append(rackWarning(f, p.declaration.explicit != nil)...)
	if moves(f) {
		p.warnUnmovable(ctx)
	}
}

func (p planning) warnOfElections(partitions []int32) {
	if len(partitions) > 0 {
		p.resp.Diagnostics.AddWarning(fmt.Sprintf("Leaders of topic %q change", p.topic),
			fmt.Sprintf("Partitions %s have their replicas already and are led by another than the first of them, which apply makes their leader.", idList(partitions)))
	}
}

// moves tells whether anything has to be reassigned, other than added.
func moves(f facts) bool {
	return slices.ContainsFunc(f.changed(), func(p int) bool { return p < len(f.targets) })
}

// costText says it in lines, most important first.
func costText(f facts, cost placement.Cost, whole bool, duration string) string {
	var lines []string
	if len(cost.Changes) > 0 {
		lines = append(lines, copies(cost, duration))
	}
	if added := len(f.wanted) - len(f.targets); added > 0 {
		lines = append(lines, fmt.Sprintf("%d partitions are added, %d to %d: keys map to other partitions afterwards.", added, len(f.targets), len(f.wanted)-1))
	}
	if cost.Leaders > 0 {
		lines = append(lines, fmt.Sprintf("The preferred leader of %d partitions changes.", cost.Leaders))
	}
	if inFlight := f.toward(f.wanted); len(inFlight) > 0 {
		lines = append(lines, fmt.Sprintf("Partitions %s are on the way there already; apply takes these moves over.", idList(inFlight)))
	}
	if own := f.own(f.wanted, f.state); len(own) > 0 {
		lines = append(lines, fmt.Sprintf("Partitions %s are on the way elsewhere by an earlier apply, which is taken back first.", idList(own)))
	}
	lines = append(lines, brokerLines(cost)...)
	lines = append(lines, changeLines(cost)...)
	if whole {
		lines = append(lines, "The whole layout will be:")
		for partition, list := range f.wanted {
			lines = append(lines, fmt.Sprintf("  %d: %s", partition, idList(list)))
		}
	}
	return strings.Join(lines, "\n")
}

func copies(cost placement.Cost, duration string) string {
	if cost.Replicas == 0 {
		return "No data is copied: zero bytes."
	}
	text := fmt.Sprintf("%d replicas are copied, %s.", cost.Replicas, bytesText(cost.Bytes))
	if cost.UnknownSizes > 0 {
		text = fmt.Sprintf("%d replicas are copied, %s and those of %d partitions whose size is not known.", cost.Replicas, bytesText(cost.Bytes), cost.UnknownSizes)
	}
	return text + " " + duration
}

func brokerLines(cost placement.Cost) []string {
	var lines []string
	for _, b := range cost.Brokers {
		if b.ReplicasBefore == b.ReplicasAfter && b.LeadersBefore == b.LeadersAfter && b.ReplicasIn == 0 && b.ReplicasOut == 0 {
			continue
		}
		lines = append(lines, fmt.Sprintf("  broker %d: %s in, %s out; replicas %d -> %d, leaders %d -> %d",
			b.ID, bytesText(b.In), bytesText(b.Out), b.ReplicasBefore, b.ReplicasAfter, b.LeadersBefore, b.LeadersAfter))
	}
	return lines
}

func changeLines(cost placement.Cost) []string {
	var lines []string
	for i, change := range cost.Changes {
		if i == shownPartitions {
			lines = append(lines, fmt.Sprintf("  and %d more", len(cost.Changes)-shownPartitions))
			break
		}
		lines = append(lines, fmt.Sprintf("  %d: %s -> %s", change.Partition, idList(change.Before), idList(change.After)))
	}
	return lines
}

// rackWarning names brokers without a rack where others have one: spreading treats them as one more rack.
func rackWarning(f facts, explicit bool) diag.Diagnostics {
	if explicit || f.ignoreRacks {
		return nil
	}
	var racks []string
	for _, b := range f.candidates() {
		if b.Rack != "" && !slices.Contains(racks, b.Rack) {
			racks = append(racks, b.Rack)
		}
	}
	rackless := placement.WithoutRack(f.candidates())
	if len(rackless) == 0 {
		return nil
	}
	seen := "no broker has one"
	if len(racks) > 0 {
		seen = "the racks seen are " + strings.Join(racks, ", ")
	}
	return diag.Diagnostics{diag.NewWarningDiagnostic(fmt.Sprintf("Replicas of topic %q are placed without knowing all racks", f.topic),
		fmt.Sprintf("Brokers %s have no broker.rack; %s. Brokers without one count as one rack. Set racks = \"ignore\" in placement if that is meant.", idList(rackless), seen))}
}

func bytesText(n int64) string { return humanize.IBytes(uint64(max(n, 0))) }
