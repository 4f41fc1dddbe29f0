// SPDX-License-Identifier: MPL-2.0

package topicassignment

import (
	"context"
	"errors"
	"fmt"

	"github.com/hashicorp/terraform-plugin-log/tflog"

	"github.com/kafka-layout/terraform-provider-kafka/internal/kafkaapi"
	"github.com/kafka-layout/terraform-provider-kafka/internal/placement"
)

// Once tells whether a thing is said for the first time in this run; *entityconfig.Run has it.
type Once interface{ Once(what string) bool }

// warnOnce warns, once per run, of a permission that the principal of the plan lacks: whoever only plans would hear the same of every
// topic. The topic at which it was seen first is named.
func (p planning) warnOnce(summary, detail string) {
	if p.said == nil || p.said.Once("layout: "+summary) {
		p.resp.Diagnostics.AddWarning(summary, fmt.Sprintf("First seen at topic %q: ", p.topic)+detail)
	}
}

// leftUnled are the partitions whose first replica a create makes leader although it does not move them: they may be the work of an
// earlier create that was interrupted, which left no state. Whoever may not elect is not held up by them.
func leftUnled(ctx context.Context, kafka Kafka, l live, wanted placement.Assignment) []int32 {
	partitions := unled(l, wanted)
	if len(partitions) == 0 {
		return nil
	}
	if may, err := kafka.MayAlterCluster(ctx); err != nil || !may {
		return nil
	}
	return partitions
}

// warnUnmovable warns of an apply that would be refused, where the cluster tells.
func (p planning) warnUnmovable(ctx context.Context) {
	may, err := p.kafka.MayAlterCluster(ctx)
	if err != nil && !errors.Is(err, kafkaapi.ErrUnsupported) {
		tflog.Debug(ctx, "not known whether the principal may move replicas", map[string]any{"error": err.Error()})
	}
	if err == nil && !may {
		p.warnOnce("The principal may not move replicas",
			"moving replicas needs ALTER on Cluster, which the principal of this provider lacks. Whoever applies needs it.")
	}
}

// warnUnchecked warns of new partitions that the brokers did not look at.
func (p planning) warnUnchecked(err error) {
	p.warnOnce("The brokers did not check new partitions", explain(err)+" Whoever applies needs it.")
}

// warnUnread warns where min.insync.replicas matters and may not be read.
func (p planning) warnUnread(err error) {
	p.warnOnce("min.insync.replicas is not compared", explain(err)+" A list shorter than it would go unnoticed until producers with acks=all are refused; "+
		"add \""+checkMinInSync+"\" to skip_checks if that is meant.")
}
