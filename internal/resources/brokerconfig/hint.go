// SPDX-License-Identifier: MPL-2.0

package brokerconfig

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/kafka-layout/terraform-provider-kafka/internal/kafkaapi"
)

// threadCounts are resized by at most a factor of two at a time (KIP-226; DynamicThreadPool, LogCleaner).
var threadCounts = []string{
	"num.io.threads", "num.network.threads", "num.replica.fetchers", "num.recovery.threads.per.data.dir", "background.threads", "log.cleaner.threads",
}

// Hint tells the next values that a refused thread count may take.
func (j judge) Hint(ctx context.Context, entity kafkaapi.Entity, key string) string {
	if !slices.ContainsFunc(threadCounts, func(name string) bool { return key == name || strings.HasSuffix(key, "."+name) }) {
		return ""
	}
	brokers, err := j.describe(ctx, entity)
	if err != nil {
		return ""
	}
	for _, broker := range brokers {
		c, ok := find(broker.Configs, key)
		if !ok || entity != broker.Entity && broker.Entity.Own(c) {
			continue // a broker with a count of its own does not mind the cluster default
		}
		if current, err := strconv.Atoi(c.Value); err == nil {
			return fmt.Sprintf(" A thread count can be halved or doubled at most at a time: from %d to any of %d to %d.", current, max(1, current/2), 2*current)
		}
	}
	return ""
}
