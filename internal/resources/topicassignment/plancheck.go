// SPDX-License-Identifier: MPL-2.0

package topicassignment

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/kafka-layout/terraform-provider-kafka/internal/kafkaapi"
	"github.com/kafka-layout/terraform-provider-kafka/internal/placement"
)

// read asks for the layout as it is. Where the topic is not there yet, there is nothing to check and nothing wrong.
func (p planning) read(ctx context.Context, expected placement.Assignment) (live, bool) {
	l, err := readSettled(ctx, p.kafka, p.topic, expected)
	var notListed *notListedError
	switch {
	case err == nil:
		return l, true
	case errors.Is(err, kafkaapi.ErrUnknownTopic):
	case errors.As(err, &notListed):
		p.resp.Diagnostics.AddWarning(fmt.Sprintf("Moves of topic %q are not known", p.topic), explain(err)+" The plan is made as if nothing moved.")
		return l, true
	default:
		p.resp.Diagnostics.AddError(fmt.Sprintf("Cannot read the layout of topic %q", p.topic), explain(err))
	}
	return live{}, false
}

// refuseTarget reports a declaration that no layout over these brokers can satisfy, on the attribute that is to blame.
func (p planning) refuseTarget(err error, present placement.Assignment, brokers []brokerMemory) {
	var fewer *placement.FewerPartitionsError
	if errors.As(err, &fewer) {
		at := path.Root(attrPartitions)
		if p.declaration.explicit != nil {
			at = path.Root(attrAssignment)
		}
		p.resp.Diagnostics.AddAttributeError(at, fmt.Sprintf("Topic %q cannot have fewer partitions", p.topic), fewerText(fewer.Current, fewer.Wanted))
		return
	}
	at := path.Root(attrPlacement)
	if p.declaration.replicationFactor > 0 {
		at = path.Root(attrReplicationFactor)
	} else if p.declaration.allowed == nil {
		at = path.Root(attrPartitions)
	}
	detail := fmt.Sprintf("%v. The topic has %d partitions now.", err, len(present))
	var tooFew *placement.TooFewBrokersError
	if errors.As(err, &tooFew) {
		detail += p.declaration.strangers(brokers) + down(brokers) + " Declare fewer replicas, or let more brokers hold them."
	}
	p.resp.Diagnostics.AddAttributeError(at, fmt.Sprintf("The layout declared for topic %q is impossible", p.topic), detail)
}

// strangers is a sentence about allowed brokers that the cluster does not have, empty where there are none.
func (d declaration) strangers(brokers []brokerMemory) string {
	var known, unknown []int32
	for _, b := range brokers {
		known = append(known, b.ID)
	}
	for _, id := range d.allowed {
		if !slices.Contains(known, id) {
			unknown = append(unknown, id)
		}
	}
	if len(unknown) == 0 {
		return ""
	}
	return fmt.Sprintf(" placement.brokers names %s, but the cluster's brokers are %s.", idList(unknown), idList(known))
}

// down is a sentence about brokers that get nothing because they are down, empty where there are none.
func down(brokers []brokerMemory) string {
	_, fenced := memory{Brokers: brokers}.brokers()
	if len(fenced) == 0 {
		return ""
	}
	return fmt.Sprintf(" Brokers %s are down and get no replicas.", idList(fenced))
}

func fewerText(current, wanted int) string {
	return fmt.Sprintf("The topic has %d partitions and the configuration wants %d. Kafka cannot take partitions away, and this provider never recreates a topic; "+
		"raise the number to at least %d, or copy the data to a new topic.", current, wanted, current)
}

// check refuses what cannot work or should not happen and tells the cost of the rest. whole has the whole layout printed, where the
// plan itself does not show it.
func (p planning) check(ctx context.Context, l live, wanted, before placement.Assignment, whole bool) {
	f, err := gather(ctx, p.kafka, l, wanted, before, p.declaration)
	if err != nil {
		p.resp.Diagnostics.AddError(fmt.Sprintf("Cannot check the layout planned for topic %q", p.topic), explain(err))
		return
	}
	for _, found := range findings(f) {
		if !found.skipped(p.declaration.skip) {
			found.report(p.topic, p.declaration.explicit != nil, &p.resp.Diagnostics)
		}
	}
	if p.resp.Diagnostics.HasError() {
		return
	}
	if f.unread != nil && !slices.Contains(p.declaration.skip, checkMinInSync) {
		p.warnUnread(f.unread)
	}
	if !p.brokersTakePartitions(ctx, l, wanted) {
		return
	}
	p.warn(ctx, f, whole)
}

// brokersTakePartitions has the brokers judge the partitions that are added.
func (p planning) brokersTakePartitions(ctx context.Context, l live, wanted placement.Assignment) bool {
	err := validateGrowth(ctx, p.kafka, l, wanted)
	switch {
	case err == nil:
		return true
	case errors.Is(err, kafkaapi.ErrNotAuthorized):
		p.warnUnchecked(err)
		return true
	}
	at := path.Root(attrAssignment)
	if p.declaration.explicit == nil {
		at = path.Root(attrPartitions)
	}
	p.resp.Diagnostics.AddAttributeError(at, fmt.Sprintf("The brokers refuse new partitions of topic %q", p.topic), explain(err))
	return false
}
