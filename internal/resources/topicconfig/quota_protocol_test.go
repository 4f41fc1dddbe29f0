// SPDX-License-Identifier: MPL-2.0

package topicconfig_test

import (
	"context"
	"sync/atomic"
	"testing"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"

	"github.com/kafka-layout/terraform-provider-kafka/internal/acctest"
	"github.com/kafka-layout/terraform-provider-kafka/internal/testbed"
)

// C-131: a quota that is far too small for the work slows the plan and the apply of many topics, as all resources wait for the pauses that
// the brokers ask for, and fails none of them.
func TestManyUnderAQuota(t *testing.T) {
	t.Parallel()
	const many = 40
	cluster := testbed.Shared(t)
	topics := cluster.UniqueTopics(t, many)
	clientID := testbed.UniqueName(t)
	limit(t, cluster, clientID)
	rec := testbed.Record(t, cluster)
	var paused atomic.Int64
	rec.Intercept(func(testbed.Request) testbed.Verdict {
		return testbed.EditAnswer(func(answer kmsg.Response) {
			if a, ok := answer.(kmsg.ThrottleResponse); ok {
				pause, _ := a.Throttle()
				paused.Add(int64(pause))
			}
		})
	})
	tf := acctest.New(t, values{"bootstrap_servers": rec.BootstrapServers(), "client_id": clientID})

	resources, plans, said := make([]*acctest.Resource, many), make([]*acctest.Plan, many), make([]acctest.Diagnostics, many)
	w := tf.Walk()
	each(many, func(i int) {
		resources[i] = tf.Resource(typeName)
		plans[i] = w.Plan(resources[i], declare(topics[i], configs{"flush.ms": "1000"}))
	})
	w = tf.Walk()
	each(many, func(i int) { said[i] = w.Apply(plans[i], declare(topics[i], configs{"flush.ms": "1000"})) })
	for _, d := range said {
		d.None(t)
	}
	t.Logf("The brokers asked for %d ms of pauses", paused.Load())
	if paused.Load() == 0 {
		t.Error("The brokers asked for no pause: there was no quota")
	}
	for _, i := range []int{0, many / 2, many - 1} {
		bench{t: t, cluster: cluster, topic: topics[i]}.has(configs{"flush.ms": "1000"})
	}
}

// limit gives a client a thousandth of one thread of each broker, and waits until one of them keeps to it.
func limit(t *testing.T, cluster *testbed.Cluster, clientID string) {
	t.Helper()
	admin := cluster.Admin(t)
	alter := func(ctx context.Context, op kadm.AlterClientQuotaOp) error {
		entity := kadm.ClientQuotaEntity{{Type: "client-id", Name: &clientID}}
		altered, err := admin.AlterClientQuotas(ctx, []kadm.AlterClientQuotaEntry{{Entity: entity, Ops: []kadm.AlterClientQuotaOp{op}}})
		if err == nil && len(altered) == 1 {
			err = altered[0].Err
		}
		return err
	}
	if err := alter(t.Context(), kadm.AlterClientQuotaOp{Key: "request_percentage", Value: 0.1}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := alter(context.Background(), kadm.AlterClientQuotaOp{Key: "request_percentage", Remove: true}); err != nil {
			t.Errorf("Remove the quota: %v", err)
		}
	})
	client, err := kgo.NewClient(kgo.SeedBrokers(cluster.BootstrapServers()...), kgo.ClientID(clientID))
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	ctx, cancel := context.WithTimeout(t.Context(), visible)
	defer cancel()
	for {
		answer, err := kmsg.NewPtrMetadataRequest().RequestWith(ctx, client)
		if err != nil {
			t.Fatalf("Wait for the quota: %v", err)
		}
		if answer.ThrottleMillis > 0 {
			return
		}
	}
}
