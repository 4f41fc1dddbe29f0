// SPDX-License-Identifier: MPL-2.0

package entityconfig

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"unicode"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/kafka-layout/terraform-provider-kafka/internal/configset"
	"github.com/kafka-layout/terraform-provider-kafka/internal/kafkaapi"
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
	reason := Reason(err, secrets) + strings.Join(hints, "")
	var refusal *kafkaapi.Error
	switch {
	case errors.As(err, &refusal) && refusal.Permission != "":
		return reason + fmt.Sprintf(" Grant %s to the principal that this provider connects as, or connect as another one.", refusal.Permission)
	case isRefusal(err):
		return reason + " Correct the configuration; nothing was written."
	case errors.Is(err, kafkaapi.ErrUnsupported):
		return reason + " The cluster does not offer this request, so these configs cannot be managed on it; remove the resource from the configuration."
	case errors.Is(err, kafkaapi.ErrHiddenValues):
		return reason + " Declare these keys with their values in a sensitive map, or reset them on the cluster first; nothing was written."
	case errors.Is(err, kafkaapi.ErrWrongCluster):
		return reason + " Nothing was read or written. Correct bootstrap_servers or cluster_id of the provider."
	case errors.Is(err, kafkaapi.ErrConnect):
		return reason + " Correct bootstrap_servers of the provider, or make the brokers reachable from here."
	case errors.Is(err, kafkaapi.ErrBrokerUnavailable):
		return reason + " Bring the broker back, or raise the provider's request_timeout if it is only slow, and run again."
	case errors.Is(err, context.Canceled):
		return "The run was interrupted. Run it again: what the brokers have taken over already is kept."
	case errors.Is(err, context.DeadlineExceeded):
		return "The time given in the timeouts block is over. Raise it, or find out why the brokers are so slow, and run again."
	case refusal != nil:
		return reason + " Run it again; if this stays, the brokers' logs say more."
	default:
		return reason
	}
}

// Reason is an error as one closed sentence that may be shown: without the secrets, which brokers quote, and without what a terminal
// would take for a command.
func Reason(err error, secrets []string) string {
	text := strings.Map(func(r rune) rune {
		switch {
		case r == '\r':
			return -1
		case unicode.IsControl(r) && r != '\n' && r != '\t':
			return unicode.ReplacementChar
		default:
			return r
		}
	}, configset.Scrub(err.Error(), secrets))
	return strings.TrimRight(text, " \t\n.") + "."
}

// pathOf is where a declared key stands in the configuration; a key that is not declared, as one to be reset, has only its map.
func (v values) pathOf(key string) path.Path {
	d := v.desired()
	for name, declared := range map[string]map[string]string{attrConfig: d.Config, attrSensitive: d.Sensitive, attrWriteOnly: d.WriteOnly} {
		if _, ok := declared[key]; ok {
			return path.Root(name).AtMapKey(key)
		}
	}
	return path.Root(attrConfig)
}

// keyOf is the key that a broker's refusal names, empty where it names none.
func keyOf(err error) string {
	var refusal *kafkaapi.Error
	if errors.As(err, &refusal) {
		return refusal.Key
	}
	return ""
}
