// SPDX-License-Identifier: MPL-2.0

package topicconfig

import (
	"context"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/kafka-layout/terraform-provider-kafka/internal/configset"
	"github.com/kafka-layout/terraform-provider-kafka/internal/kafkaapi"
	"github.com/kafka-layout/terraform-provider-kafka/internal/resources/entityconfig"
)

var (
	_ entityconfig.Kind  = kind{}
	_ entityconfig.Judge = judge{}
)

// kind is what the config engine has to know of topics.
type kind struct{}

func (kind) Entity(ctx context.Context, from entityconfig.Attributes) (kafkaapi.Entity, bool, diag.Diagnostics) {
	var topic types.String
	diags := from.GetAttribute(ctx, path.Root(attrTopic), &topic)
	return kafkaapi.Topic(topic.ValueString()), !topic.IsUnknown() && !topic.IsNull(), diags
}

func (kind) SetIdentity(ctx context.Context, identity *tfsdk.ResourceIdentity, entity kafkaapi.Entity) diag.Diagnostics {
	return identity.SetAttribute(ctx, path.Root(attrTopic), entity.Name)
}

func (kind) LeftAlone(kafkaapi.Entity) []string { return configset.ThrottleKeysOfTopics() }

// Resend: no config of a topic takes effect by being written again.
func (kind) Resend(context.Context, entityconfig.Attributes, entityconfig.Attributes, []string) ([]string, diag.Diagnostics) {
	return nil, nil
}

func (kind) Missing(entity kafkaapi.Entity) string {
	return fmt.Sprintf("The topic %q does not exist; create it first, for example with kafka-topics.sh --create --topic %s, and run this again.", entity.Name, entity.Name)
}
