// SPDX-License-Identifier: MPL-2.0

package topicassignment

import (
	"context"
	"time"

	"github.com/hashicorp/terraform-plugin-framework-timeouts/resource/timeouts"
	"github.com/hashicorp/terraform-plugin-framework-validators/int32validator"
	"github.com/hashicorp/terraform-plugin-framework-validators/setvalidator"
	"github.com/hashicorp/terraform-plugin-framework-validators/stringvalidator"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/identityschema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/booldefault"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/stringdefault"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/stringplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/kafka-layout/terraform-provider-kafka/internal/reassign"
	"github.com/kafka-layout/terraform-provider-kafka/internal/resources"
)

const (
	attrTopic             = "topic"
	attrAssignment        = "assignment"
	attrPartitions        = "partitions"
	attrReplicationFactor = "replication_factor"
	attrPlacement         = "placement"
	attrSkipChecks        = "skip_checks"
	attrWait              = "wait_for_completion"
	attrElect             = "elect_preferred_leaders"
	attrOnInterruption    = "on_interruption"
	attrPending           = "reassignment_pending"
	attrTimeouts          = "timeouts"
)

// The values of placement.racks.
const (
	racksSpread = "spread"
	racksIgnore = "ignore"
)

// defaultTimeout bounds create and update where the timeouts block says nothing: moving data takes hours on real clusters.
const defaultTimeout = 24 * time.Hour

// replicaLists is the type of assignment: partition -> broker ids, preferred leader first.
var replicaLists = types.ListType{ElemType: types.Int32Type}

// Schema is the resource's schema.
func (r *Resource) Schema(ctx context.Context, _ resource.SchemaRequest, resp *resource.SchemaResponse) {
	resp.Schema = schema.Schema{
		MarkdownDescription: "The layout of an existing topic: partition count, replication factor and the replicas of every partition. Either every replica is stated (`assignment`), or what is " +
			"needed is (`partitions`, `replication_factor`, `placement`) and the provider places replicas over racks and brokers, moving as little as it can. The topic is neither created nor deleted.",
		Attributes: map[string]schema.Attribute{
			attrTopic: schema.StringAttribute{
				Required:            true,
				PlanModifiers:       []planmodifier.String{stringplanmodifier.RequiresReplace()},
				Validators:          []validator.String{resources.TopicNameValidator()},
				MarkdownDescription: "The name of the topic, which must exist when the resource is applied. A change replaces the resource, never the topic.",
			},
			attrAssignment: schema.MapAttribute{
				ElementType: replicaLists,
				Optional:    true,
				Computed:    true,
				MarkdownDescription: "The replicas of every partition: from the partition's number, `0` to n-1 without a gap, to broker ids, preferred leader first. Excludes `partitions`, " +
					"`replication_factor` and `placement`; where it is not given, it is computed from them.",
			},
			attrPartitions: schema.Int32Attribute{
				Optional:            true,
				Computed:            true,
				Validators:          []validator.Int32{int32validator.AtLeast(1)},
				MarkdownDescription: "The number of partitions, which only grows. Keys map to other partitions afterwards. Where it is not given, it follows the topic.",
			},
			attrReplicationFactor: schema.Int32Attribute{
				Optional:            true,
				Computed:            true,
				Validators:          []validator.Int32{int32validator.Between(1, 32767)},
				MarkdownDescription: "The number of replicas of every partition. Where it is not given, it follows the topic; it is null where partitions differ.",
			},
			attrPlacement: schema.SingleNestedAttribute{
				Optional: true,
				Attributes: map[string]schema.Attribute{
					"brokers": schema.SetAttribute{
						ElementType:         types.Int32Type,
						Optional:            true,
						Validators:          []validator.Set{setvalidator.SizeAtLeast(1), setvalidator.NoNullValues(), setvalidator.ValueInt32sAre(int32validator.AtLeast(0))},
						MarkdownDescription: "The ids of the brokers that may hold replicas. A broker that is taken out gives its replicas to others; nothing else moves. Default: all brokers.",
					},
					"racks": schema.StringAttribute{
						Optional:   true,
						Validators: []validator.String{stringvalidator.OneOf(racksSpread, racksIgnore)},
						MarkdownDescription: "`spread` also moves replicas of partitions that are on fewer racks than possible, `ignore` places as if there were no racks. " +
							"Default: new replicas are spread over racks, and what is placed stays.",
					},
				},
				MarkdownDescription: "Where replicas may be placed.",
			},
			attrSkipChecks: schema.SetAttribute{
				ElementType: types.StringType,
				Optional:    true,
				Validators:  []validator.Set{setvalidator.NoNullValues(), setvalidator.ValueStringsAre(stringvalidator.OneOf(checkNames...))},
				MarkdownDescription: "Names of plan checks to skip: `offline_broker`, `uneven_replication_factor`, `min_insync_replicas`, `rack_spread`, `disk_space`, `foreign_reassignment`, " +
					"`internal_topic`.",
			},
			attrWait: schema.BoolAttribute{
				Optional: true,
				Computed: true,
				Default:  booldefault.StaticBool(true),
				MarkdownDescription: "Whether apply waits until the data is moved. `false` submits everything at once and returns when the brokers have accepted it; what remains, such as leaders, " +
					"the next apply after the move finishes. Default: `true`.",
			},
			attrElect: schema.BoolAttribute{
				Optional:            true,
				Computed:            true,
				Default:             booldefault.StaticBool(true),
				MarkdownDescription: "Whether, after a move, the first replica is made leader of each touched partition that another one leads; on create, which may finish what was interrupted, of every partition. Default: `true`.",
			},
			attrOnInterruption: schema.StringAttribute{
				Optional:   true,
				Computed:   true,
				Default:    stringdefault.StaticString(string(reassign.Continue)),
				Validators: []validator.String{stringvalidator.OneOf(string(reassign.Continue), string(reassign.Cancel))},
				MarkdownDescription: "What becomes of moves in flight at an interrupt, a timeout or a stall. `continue`: they go on in Kafka, throttled, and the next apply takes them over. `cancel`: they are " +
					"cancelled, and the former replicas, order included, are put back. Partitions that are done stay done either way. Default: `continue`.",
			},
			attrPending: schema.BoolAttribute{
				Computed: true,
				MarkdownDescription: "Whether something of an earlier apply is left to finish: moves to the layout in state that are in flight, throttle entries that no move needs, or an election that is owed. " +
					"A plan then shows `true -> false`, and apply finishes it.",
			},
		},
		Blocks: map[string]schema.Block{attrTimeouts: timeouts.Block(ctx, timeouts.Opts{
			Create: true, Update: true,
			CreateDescription: "How long a create may take, the move of data included. A Go duration, default `24h`.",
			UpdateDescription: "How long an update may take, the move of data included. A Go duration, default `24h`.",
		})},
	}
}

// IdentitySchema names a topic by its name.
func (r *Resource) IdentitySchema(_ context.Context, _ resource.IdentitySchemaRequest, resp *resource.IdentitySchemaResponse) {
	resp.IdentitySchema = identityschema.Schema{Attributes: map[string]identityschema.Attribute{
		attrTopic: identityschema.StringAttribute{RequiredForImport: true, Description: "The name of the topic."},
	}}
}
