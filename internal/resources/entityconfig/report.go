// SPDX-License-Identifier: MPL-2.0

package entityconfig

import (
	"errors"
	"iter"
	"maps"
	"strconv"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/kafka-layout/terraform-provider-kafka/internal/configset"
	"github.com/kafka-layout/terraform-provider-kafka/internal/kafkaapi"
	"github.com/kafka-layout/terraform-provider-kafka/internal/resources/advice"
)

type diagnostics = diag.Diagnostics

// isMissing: the brokers say that there is no such entity. Being not allowed to see it is something else.
func isMissing(err error) bool { return errors.Is(err, kafkaapi.ErrUnknownTopic) }

// isRefusal: brokers looked at the change itself and do not want it.
func isRefusal(err error) bool {
	return errors.Is(err, kafkaapi.ErrInvalidConfig) || errors.Is(err, kafkaapi.ErrPolicyViolation)
}

// explain gives the detail of a diagnostic: the reason, in the broker's words where there are any, and the way out. Brokers quote
// values, so the secrets are taken out of what they say. hints are sentences that belong to the reason, each with a blank before it.
func (e *Engine) explain(err error, secrets []string, hints ...string) string {
	if ended := advice.Ended(err); ended != "" {
		return configset.Scrub(ended, secrets)
	}
	reason := Reason(err, secrets) + strings.Join(hints, "")
	if wayOut := advice.WayOut(err); wayOut != "" {
		return reason + " " + wayOut
	}
	switch {
	case isRefusal(err):
		return reason + " Correct the configuration; nothing was written."
	case errors.Is(err, kafkaapi.ErrUnsupported):
		return reason + " The cluster does not offer this request, so these configs cannot be managed on it; remove the resource from the configuration."
	case errors.Is(err, kafkaapi.ErrHiddenValues):
		return reason + " Declare these keys with their values in a sensitive map, or reset them on the cluster first; nothing was written."
	default:
		return reason + " Run it again; if this stays, the brokers' logs say more."
	}
}

// Reason is an error as one closed sentence that may be shown: without the secrets, which brokers quote.
func Reason(err error, secrets []string) string {
	return advice.Sentence(configset.Scrub(err.Error(), secrets))
}

// pathOf is where a declared key stands in the configuration; a key that is not declared, as one to be reset, has only its map.
func (v values) pathOf(key string) path.Path {
	d := v.desired()
	for name, declared := range map[string]map[string]string{attrConfig: d.Config, attrSensitive: d.Sensitive, attrWriteOnly: d.WriteOnly} {
		if _, ok := declared[key]; ok {
			return KeyPath(name, key, maps.Keys(declared))
		}
	}
	return path.Root(attrConfig)
}

// KeyPath is where a key of a map attribute stands, for a diagnostic: the map as a whole where any of its keys is a number, as Terraform
// panics ("not a string") when it looks for a string among keys that are written as numbers, as in { 1 = "x" }.
func KeyPath(attribute, key string, keys iter.Seq[string]) path.Path {
	for other := range keys {
		if _, err := strconv.ParseFloat(other, 64); err == nil {
			return path.Root(attribute)
		}
	}
	return path.Root(attribute).AtMapKey(key)
}

// keyOf is the key that a broker's refusal names, empty where it names none.
func keyOf(err error) string {
	var refusal *kafkaapi.Error
	if errors.As(err, &refusal) {
		return refusal.Key
	}
	return ""
}
