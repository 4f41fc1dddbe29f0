// SPDX-License-Identifier: MPL-2.0

package brokerconfig

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/kafka-layout/terraform-provider-kafka/internal/configset"
	"github.com/kafka-layout/terraform-provider-kafka/internal/kafkaapi"
	"github.com/kafka-layout/terraform-provider-kafka/internal/poll"
)

// effectTime is how long brokers are given to put into force what they already show as written.
const (
	effectTime = 5 * time.Second
	firstPause = 10 * time.Millisecond
	lastPause  = 250 * time.Millisecond
)

// Confirm warns of values that stay old although the set is as written: some keys keep their running value until a restart, and a
// cluster default that one broker could take may be beyond another. A broker's effective value has to be that of the first layer
// which holds the key.
func (j judge) Confirm(ctx context.Context, entity kafkaapi.Entity, change configset.Change) diag.Diagnostics {
	ctx, cancel := context.WithTimeout(ctx, effectTime)
	defer cancel()
	var stale []string
	err := poll.Until(ctx, firstPause, lastPause, func() (bool, error) {
		brokers, err := j.describe(ctx, entity)
		if err != nil {
			return false, err
		}
		stale = notInForce(change, brokers)
		return len(stale) == 0, nil
	})
	if err == nil || ctx.Err() == nil {
		return nil // in force; or the write itself is confirmed, and nothing more can be said
	}
	return warnNotInForce(entity, stale)
}

func warnNotInForce(entity kafkaapi.Entity, stale []string) diag.Diagnostics {
	if len(stale) == 0 {
		return nil
	}
	return diag.Diagnostics{diag.NewWarningDiagnostic(fmt.Sprintf("Configs of %s are set and not in force", entity),
		"The set is as declared, but these brokers still run with another value:\n\n"+strings.Join(stale, "\n")+
			"\n\nSome keys take effect only when the broker is restarted, and a broker may refuse a value that another one took; its log says why.")}
}

// notInForce has a line for each broker and key of the change whose effective value is not that of the topmost layer.
func notInForce(change configset.Change, brokers described) []string {
	var stale []string
	for _, broker := range brokers {
		for _, key := range change.Keys() {
			c, ok := find(broker.Configs, key)
			if !ok || c.Sensitive || len(c.Synonyms) == 0 {
				continue
			}
			// What a reference to a config provider stands for only the broker knows.
			if top := c.Synonyms[0]; !strings.Contains(top.Value, "${") && !configset.Equal(configset.Type(c.Type), top.Value, c.Value) {
				stale = append(stale, fmt.Sprintf("  %s: %s runs with another value than that of its topmost layer (%s)", key, broker.Entity, top.Name))
			}
		}
	}
	return stale
}
