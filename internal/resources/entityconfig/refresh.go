// SPDX-License-Identifier: MPL-2.0

package entityconfig

import (
	"context"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"

	"github.com/kafka-layout/terraform-provider-kafka/internal/configset"
	"github.com/kafka-layout/terraform-provider-kafka/internal/kafkaapi"
)

// Read makes state tell the truth about the entity.
func (e *Engine) Read(ctx context.Context, req resource.ReadRequest, resp *resource.ReadResponse) {
	entity, _, diags := e.Kind.Entity(ctx, req.State)
	resp.Diagnostics.Append(diags...)
	// First of all: an identity is wanted after every read, also of an entity that is gone.
	resp.Diagnostics.Append(e.Kind.SetIdentity(ctx, resp.Identity, entity)...)
	prior, diags := readValues(ctx, req.State)
	resp.Diagnostics.Append(diags...)
	remembered, diags := readPrivate(ctx, req.Private, prior.attributes())
	resp.Diagnostics.Append(diags...)
	if resp.Diagnostics.HasError() {
		return
	}
	summary := fmt.Sprintf("Cannot read the configs of %s", entity)
	if e.Kafka == nil {
		resp.Diagnostics.AddError(summary, e.Offline)
		return
	}
	answer := e.Kafka.ReadConfigs(ctx, entity, kafkaapi.ListConfigsOptions{})
	configs, err := e.confirmed(ctx, entity, answer.Configs, answer.Err)
	if err == nil {
		resp.Diagnostics.Append(e.store(ctx, entity, prior, remembered, configs, resp)...)
		return
	}
	switch loss := e.Judge.Lost(ctx, entity, err); {
	case loss == Gone && remembered.Imported:
		resp.Diagnostics.AddError(fmt.Sprintf("Cannot import the configs of %s", entity), e.Kind.Missing(entity))
	case loss == Gone:
		resp.State.RemoveResource(ctx)
	case loss == Down && !remembered.Imported:
		resp.Diagnostics.AddWarning(fmt.Sprintf("The configs of %s could not be refreshed", entity),
			e.explain(err, prior.secrets())+" Until then the last known state stands.")
	default:
		resp.Diagnostics.AddError(summary, e.explain(err, prior.secrets()))
	}
}

// store writes what the brokers described into state and private state.
func (e *Engine) store(ctx context.Context, entity kafkaapi.Entity, prior values, remembered private, configs []kafkaapi.Config, resp *resource.ReadResponse) diagnostics {
	all := entries(entity, configs)
	left, err := e.leftAlone(ctx, entity, prior)
	if err != nil {
		return diagnostics{diag.NewErrorDiagnostic(fmt.Sprintf("Cannot read the configs of %s", entity), e.explain(err, prior.secrets()))}
	}
	next := configset.Refresh(prior.state(remembered), configset.Own(all), left)
	diags := setAll(ctx, &resp.State, map[string]any{
		attrConfig: mapValue(next.Config), attrSensitive: mapValue(next.Sensitive), attrSensitiveKeys: setValue(next.SensitiveKeys),
	})
	if prior.onDestroy.IsNull() {
		// After an import: what the default would have filled in.
		diags.Append(resp.State.SetAttribute(ctx, path.Root(attrOnDestroy), destroyReset)...)
	}
	memory := private{Declared: remembered.Declared, Types: configset.Types(all)}
	diags.Append(memory.write(ctx, resp.Private, next)...)
	return diags
}

func setAll(ctx context.Context, state *tfsdk.State, attributes map[string]any) diagnostics {
	var diags diagnostics
	for name, value := range attributes {
		diags.Append(state.SetAttribute(ctx, path.Root(name), value)...)
	}
	return diags
}

// confirmed believes an answer that an entity is missing only if no live broker knows it: right after a topic was made, some brokers
// do not know it yet, and dropping it from state would plan it anew.
func (e *Engine) confirmed(ctx context.Context, entity kafkaapi.Entity, configs []kafkaapi.Config, err error) ([]kafkaapi.Config, error) {
	if !isMissing(err) {
		return configs, err
	}
	cluster, clusterErr := e.Kafka.Cluster(ctx)
	if clusterErr != nil {
		return nil, clusterErr
	}
	for _, broker := range cluster.Brokers {
		configs, atErr := e.list(ctx, entity, kafkaapi.ListConfigsOptions{At: &broker.ID})
		if atErr == nil {
			return configs, nil
		}
	}
	return nil, err
}

// ImportState notes that the state to be refreshed comes from an import. The caller writes the attributes that name the entity.
func ImportState(ctx context.Context, resp *resource.ImportStateResponse) {
	resp.Diagnostics.Append(private{Imported: true}.write(ctx, resp.Private, configset.State{})...)
}
