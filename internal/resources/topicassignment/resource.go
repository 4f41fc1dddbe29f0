// SPDX-License-Identifier: MPL-2.0

// Package topicassignment is the resource kafka_topic_assignment: partition count, replication factor and the replicas of every
// partition of a topic.
//
// The planned assignment is a pure function of configuration, state and the snapshot of the brokers that Read keeps in private state
// (target.go), as Terraform plans a second time at apply and compares. What brokers say at the moment feeds errors and warnings
// only (facts.go, checks.go, cost.go). Apply decides what to send (steps.go) and has the executor of the run send it and wait
// (bring.go, moving.go); what else is waited for shares the executor's polls (wait.go).
package topicassignment

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"

	"github.com/kafka-layout/terraform-provider-kafka/internal/kafkaapi"
	"github.com/kafka-layout/terraform-provider-kafka/internal/resources"
	"github.com/kafka-layout/terraform-provider-kafka/internal/resources/ownership"
)

var (
	_ resource.ResourceWithConfigure      = (*Resource)(nil)
	_ resource.ResourceWithIdentity       = (*Resource)(nil)
	_ resource.ResourceWithImportState    = (*Resource)(nil)
	_ resource.ResourceWithModifyPlan     = (*Resource)(nil)
	_ resource.ResourceWithValidateConfig = (*Resource)(nil)
)

// Kafka is what the resource needs of a cluster; *kafkaapi.Client has it.
type Kafka interface {
	Cluster(ctx context.Context) (kafkaapi.Cluster, error)
	ReadLayout(ctx context.Context, topic string) kafkaapi.Layout
	ReadBrokers(ctx context.Context) ([]kafkaapi.RegisteredBroker, error)
	RegisteredBrokers(ctx context.Context) ([]kafkaapi.RegisteredBroker, error)
	MayAlterCluster(ctx context.Context) (bool, error)
	DescribeTopics(ctx context.Context, names []string) []kafkaapi.TopicDescription
	ListReassignments(ctx context.Context, of kafkaapi.TopicPartitions) (map[string]map[int32]kafkaapi.Reassignment, error)
	ListConfigs(ctx context.Context, entities []kafkaapi.Entity, opts kafkaapi.ListConfigsOptions) []kafkaapi.EntityConfigs
	DescribeLogDirs(ctx context.Context, brokers []int32, of kafkaapi.TopicPartitions) []kafkaapi.BrokerLogDirs
	AlterTopics(ctx context.Context, alterations []kafkaapi.TopicAlteration, validateOnly bool) []kafkaapi.TopicResult
	ElectPreferredLeaders(ctx context.Context, of kafkaapi.TopicPartitions) (map[string]map[int32]error, error)
}

// Resource is kafka_topic_assignment.
type Resource struct {
	// kafka is nil while the cluster's address is not known; offline then says why.
	kafka   Kafka
	offline string
	claims  *ownership.Claims
	said    Once
	mover   Mover
	// throttle is the provider's, in bytes per second, 0 for none; it may not be known yet at plan.
	throttle        int64
	throttleUnknown bool
}

// New makes an unconfigured resource.
func New() resource.Resource { return &Resource{} }

// Metadata gives the type name.
func (r *Resource) Metadata(_ context.Context, req resource.MetadataRequest, resp *resource.MetadataResponse) {
	resp.TypeName = req.ProviderTypeName + "_topic_assignment"
}

// Configure takes the provider's client.
func (r *Resource) Configure(_ context.Context, req resource.ConfigureRequest, resp *resource.ConfigureResponse) {
	if data := resources.From(req.ProviderData, &resp.Diagnostics); data != nil {
		r.offline, r.claims, r.said = data.Offline, data.Layouts, data.Configs
		r.throttle, r.throttleUnknown = data.Reassignment.ThrottleBytesPerSecond, data.ThrottleUnknown
		if data.Kafka != nil {
			r.kafka, r.mover = data.Kafka, data.Moves
		}
	}
}

// ImportState takes a topic's name, as id or as identity.
func (r *Resource) ImportState(ctx context.Context, req resource.ImportStateRequest, resp *resource.ImportStateResponse) {
	if req.ID != "" {
		if err := resources.CheckTopicName(req.ID); err != nil {
			resp.Diagnostics.AddError("Malformed import id", "The import id of kafka_topic_assignment is the name of the topic. "+err.Error()+".")
			return
		}
	}
	resource.ImportStatePassthroughWithIdentity(ctx, path.Root(attrTopic), path.Root(attrTopic), req, resp)
	resp.Diagnostics.Append(memory{Imported: true}.write(ctx, resp.Private)...)
}

// Delete forgets the resource: the topic and its layout stay, and nothing is sent.
func (r *Resource) Delete(context.Context, resource.DeleteRequest, *resource.DeleteResponse) {}
