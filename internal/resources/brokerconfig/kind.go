// SPDX-License-Identifier: MPL-2.0

package brokerconfig

import (
	"context"
	"fmt"
	"slices"
	"strconv"

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

// defaultID is how import ids and identities name the cluster default.
const defaultID = "default"

// kind is what the config engine has to know of brokers.
type kind struct{}

func (kind) Entity(ctx context.Context, from entityconfig.Attributes) (kafkaapi.Entity, bool, diag.Diagnostics) {
	var broker types.Int32
	var isDefault types.Bool
	diags := from.GetAttribute(ctx, path.Root(attrBroker), &broker)
	diags.Append(from.GetAttribute(ctx, path.Root(attrDefault), &isDefault)...)
	if isDefault.ValueBool() {
		return kafkaapi.ClusterDefault(), true, diags
	}
	if broker.IsNull() || broker.IsUnknown() {
		return kafkaapi.Entity{}, false, diags // which is none, other than broker 0
	}
	return kafkaapi.BrokerEntity(broker.ValueInt32()), true, diags
}

func (kind) SetIdentity(ctx context.Context, identity *tfsdk.ResourceIdentity, entity kafkaapi.Entity) diag.Diagnostics {
	id := entity.Name
	if id == "" {
		id = defaultID
	}
	return identity.SetAttribute(ctx, path.Root(identityBroker), id)
}

func (kind) LeftAlone(kafkaapi.Entity) []string { return configset.ThrottleKeysOfBrokers() }

// Resend gives the store keys where reload_trigger has changed: a broker reads the files again when they are written.
func (kind) Resend(ctx context.Context, state, configuration entityconfig.Attributes, keys []string) ([]string, diag.Diagnostics) {
	var was, is types.String
	diags := state.GetAttribute(ctx, path.Root(attrReload), &was)
	diags.Append(configuration.GetAttribute(ctx, path.Root(attrReload), &is)...)
	if was.Equal(is) {
		return nil, diags
	}
	return slices.DeleteFunc(slices.Clone(keys), func(key string) bool { return !configset.IsStoreKey(key) }), diags
}

func (kind) Missing(entity kafkaapi.Entity) string {
	return fmt.Sprintf("The cluster knows no %s; correct broker_id, or start the broker, and run this again.", entity)
}

// parseID reads an import id. Leading zeros and blanks are refused, as they would name one broker in two ways.
func parseID(id string) (kafkaapi.Entity, error) {
	if id == defaultID {
		return kafkaapi.ClusterDefault(), nil
	}
	n, err := strconv.ParseInt(id, 10, 32)
	if err != nil || n < 0 || strconv.FormatInt(n, 10) != id {
		return kafkaapi.Entity{}, fmt.Errorf("%q is neither", id)
	}
	return kafkaapi.BrokerEntity(int32(n)), nil
}
