// SPDX-License-Identifier: MPL-2.0

package entityconfig

import (
	"context"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework-timeouts/resource/timeouts"
	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/kafka-layout/terraform-provider-kafka/internal/configset"
)

// values are the shared attributes of one configuration, plan or state.
type values struct {
	config, sensitive, writeOnly types.Map
	version                      types.Int64
	unmanagedKeys, sensitiveKeys types.Set
	unmanaged                    configset.Globs
	onDestroy                    types.String
	timeouts                     timeouts.Value
}

// readValues reads the shared attributes. The write-only map is there in a configuration only.
func readValues(ctx context.Context, from Attributes) (values, diag.Diagnostics) {
	var v values
	var diags diag.Diagnostics
	for name, target := range map[string]any{
		attrConfig: &v.config, attrSensitive: &v.sensitive, attrWriteOnly: &v.writeOnly, attrVersion: &v.version,
		attrUnmanaged: &v.unmanagedKeys, attrSensitiveKeys: &v.sensitiveKeys, attrOnDestroy: &v.onDestroy, attrTimeouts: &v.timeouts,
	} {
		diags.Append(from.GetAttribute(ctx, path.Root(name), target)...)
	}
	v.unmanaged = stringsOf(v.unmanagedKeys.Elements())
	return v, diags
}

// wholeKnown tells whether every declared name and value is known: half a set cannot be checked, as keys may depend on each other.
func (v values) wholeKnown() bool {
	return elementsKnown(v.config) && elementsKnown(v.sensitive) && elementsKnown(v.writeOnly) &&
		!v.version.IsUnknown() && v.unmanagedKnown()
}

func (v values) unmanagedKnown() bool {
	return !v.unmanagedKeys.IsUnknown() && !slices.ContainsFunc(v.unmanagedKeys.Elements(), attr.Value.IsUnknown)
}

// namesKnown tells whether every declared name is known, its value or not.
func (v values) namesKnown() bool {
	return !v.config.IsUnknown() && !v.sensitive.IsUnknown() && !v.writeOnly.IsUnknown() && v.unmanagedKnown()
}

// desired are the declared configs; unknown elements count as empty, so only their names are of use.
func (v values) desired() configset.Desired {
	return configset.Desired{
		Config:    configset.Declared(elements(v.config)),
		Sensitive: configset.Declared(elements(v.sensitive)),
		WriteOnly: configset.Declared(elements(v.writeOnly)),
	}
}

// state gives configset's view of the attributes of a state.
func (v values) state(p private) configset.State {
	s := v.attributes()
	s.DeclaredKeys = p.Declared
	return s
}

// attributes are those of a state without what is kept beside it.
func (v values) attributes() configset.State {
	return configset.State{Config: elements(v.config), Sensitive: elements(v.sensitive), SensitiveKeys: stringsOf(v.sensitiveKeys.Elements())}
}

// secrets are the declared values that must not be shown.
func (v values) secrets() []string {
	var all []string
	for _, m := range []types.Map{v.sensitive, v.writeOnly} {
		for _, value := range configset.Declared(elements(m)) {
			all = append(all, value)
		}
	}
	return all
}

// keep are the known values of keys that a complete set would need although they do not change. Those of config are among them:
// before Kafka 2.3 brokers hide the replication throttle rates as well.
func (v values) keep() map[string]string {
	d := v.desired()
	for _, m := range []map[string]string{d.Config, d.WriteOnly} {
		for key, value := range m {
			d.Sensitive[key] = value
		}
	}
	return d.Sensitive
}

// sensitiveNames are the names that the sensitive maps declare.
func (v values) sensitiveNames() []string {
	names := []string{}
	for _, m := range []types.Map{v.sensitive, v.writeOnly} {
		for key, value := range m.Elements() {
			if !value.IsNull() {
				names = append(names, key)
			}
		}
	}
	slices.Sort(names)
	return names
}

// hiddenKeys names the keys whose values, old or new, must not be shown. Those of a write-only map are in no state, so state only
// knows their names.
func hiddenKeys(all ...values) []string {
	var names []string
	for _, v := range all {
		names = append(names, v.sensitiveNames()...)
		names = append(names, stringsOf(v.sensitiveKeys.Elements())...)
	}
	return names
}

func elementsKnown(m types.Map) bool {
	if m.IsUnknown() {
		return false
	}
	for _, value := range m.Elements() {
		if value.IsUnknown() {
			return false
		}
	}
	return true
}

// elements gives a map's elements: nil for a null map, nil elements for null ones, empty text for unknown ones.
func elements(m types.Map) map[string]*string {
	if m.IsNull() {
		return nil
	}
	all := make(map[string]*string, len(m.Elements()))
	for key, value := range m.Elements() {
		all[key] = nil
		if text, ok := value.(types.String); ok && !text.IsNull() {
			s := text.ValueString()
			all[key] = &s
		}
	}
	return all
}

func stringsOf(elements []attr.Value) []string {
	var all []string
	for _, value := range elements {
		if text, ok := value.(types.String); ok && !text.IsNull() && !text.IsUnknown() {
			all = append(all, text.ValueString())
		}
	}
	return all
}

// mapValue is the inverse of elements.
func mapValue(m map[string]*string) types.Map {
	if m == nil {
		return types.MapNull(types.StringType)
	}
	all := make(map[string]attr.Value, len(m))
	for key, value := range m {
		all[key] = types.StringPointerValue(value)
	}
	return types.MapValueMust(types.StringType, all)
}

func setValue(items []string) types.Set {
	all := make([]attr.Value, 0, len(items))
	for _, item := range items {
		all = append(all, types.StringValue(item))
	}
	return types.SetValueMust(types.StringType, all)
}
