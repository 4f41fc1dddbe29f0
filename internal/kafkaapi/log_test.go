// SPDX-License-Identifier: MPL-2.0

package kafkaapi

import (
	"bytes"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-log/tflogtest"
)

func TestRequestsAreLoggedWithoutValues(t *testing.T) {
	client, cluster := sharedClient(t)
	topic := cluster.UniqueTopic(t, 1, 1)
	var log bytes.Buffer
	ctx := tflogtest.RootLogger(testContext(t), &log)
	const secret = "canary-4711"

	for _, set := range []map[string]string{{"retention.ms": secret}, {"follower.replication.throttled.replicas": secret}} {
		// The broker's refusal quotes the value.
		err := alterOne(ctx, client, Alteration{Entity: Topic(topic), Set: set}, true)
		if err == nil || !strings.Contains(err.Error(), secret) {
			t.Fatalf("the canary is not in the refusal: %v", err)
		}
	}

	for _, word := range []string{`"request":"IncrementalAlterConfigs"`, `"request":"DescribeCluster"`, `"entities":1`, `"duration_ms"`, `"address"`, `"sent_bytes"`, `"received_bytes"`} {
		if !strings.Contains(log.String(), word) {
			t.Errorf("the log lacks %s:\n%s", word, &log)
		}
	}
	if strings.Contains(log.String(), secret) {
		t.Errorf("the log holds a value:\n%s", &log)
	}
}
