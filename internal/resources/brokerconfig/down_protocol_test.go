// SPDX-License-Identifier: MPL-2.0

package brokerconfig_test

import (
	"context"
	"errors"
	"strconv"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kmsg"

	"github.com/kafka-layout/terraform-provider-kafka/internal/acctest"
	"github.com/kafka-layout/terraform-provider-kafka/internal/testbed"
)

// Acceptance line 8; C-43, C-44: a broker that is stopped, and then no longer registered.
func TestStoppedBroker(t *testing.T) {
	cluster := testbed.Own(t, testbed.Options{SeparateControllers: true})
	b := benchOn(t, cluster)
	one, two, def := ofBroker(1, configs{"log.segment.delete.delay.ms": "86400000"}), ofBroker(2, configs{"log.segment.delete.delay.ms": "3600000"}), ofDefault(configs{"log.segment.bytes": "104857600"})
	r1, r2, rd := b.applied(one), b.applied(two), b.applied(def)
	if err := cluster.Stop(t.Context(), 2); err != nil {
		t.Fatal(err)
	}
	if err := cluster.WaitBrokers(t.Context()); err != nil {
		t.Fatal(err)
	}

	t.Run("nothing changes", func(t *testing.T) {
		tf, w := b.tf.For(t), b.tf.Walk()
		mentions(t, w.Refresh(r2).OneWarning(t), "The configs of broker 2 could not be refreshed", "broker 2 is not among the live brokers", "the last known state stands")
		p := w.Plan(r2, two)
		p.Diagnostics.None(t)
		if p.Action != acctest.NoOp {
			t.Errorf("The plan is a %s", p.Action)
		}
		inState(t, r2, "config", two["config"])
		tf.Empty(r1, one)
		tf.Empty(rd, def)
	})
	t.Run("others change", func(t *testing.T) {
		tf := b.tf.For(t)
		one["config"], def["config"] = configs{"log.segment.delete.delay.ms": "86400001"}, configs{"log.segment.bytes": "104857601"}
		tf.Apply(r1, one).None(t)
		tf.Apply(rd, def).None(t)
		tf.Empty(r1, one)
		tf.Empty(rd, def)
	})
	t.Run("a change", func(t *testing.T) {
		for _, validation := range []string{"error", "warn", "off"} {
			tf := b.tf.For(t)
			tf.Provider["plan_validation"] = validation
			got := tf.Plan(r2, ofBroker(2, configs{"log.segment.delete.delay.ms": "1"})).Diagnostics.One(t)
			mentions(t, got, "Cannot change the configs of broker 2", "broker 2 is not among the live brokers of the cluster")
			mentions(t, tf.Plan(tf.Resource(typeName), two).Diagnostics.One(t), "Cannot plan the configs of broker 2", "not among the live brokers")
		}
	})
	t.Run("a destroy", func(t *testing.T) {
		tf := b.tf.For(t)
		p := tf.Plan(r2, nil)
		mentions(t, p.Diagnostics.OneWarning(t), "The configs of broker 2 can be reset only when it is back")
		begun := time.Now()
		got := tf.ApplyPlan(p).One(t)
		mentions(t, got, "Cannot destroy the configs of broker 2", "not among the live brokers", "Bring the broker back", "removed block with destroy = false", `on_destroy = "keep"`)
		if took := time.Since(begun); took > time.Minute {
			t.Errorf("It took %s", took)
		}
		if !r2.Exists() {
			t.Error("The resource is gone from state")
		}
	})
	t.Run("an import", func(t *testing.T) {
		w := b.tf.For(t).Walk()
		mentions(t, w.Import(b.tf.Resource(typeName), "2").One(t), "Cannot read the configs of broker 2", "not among the live brokers")
	})
	t.Run("a broker of the same run is validated all the same", func(t *testing.T) {
		w := b.tf.For(t).Walk()
		w.Plan(r2, nil).Diagnostics.OneWarning(t)
		w.Plan(r1, ofBroker(1, configs{"log.dirs": "/elsewhere"})).Diagnostics.One(t)
	})

	unregister(t, cluster, 2)
	t.Run("destroy without refresh of a broker that is gone", func(t *testing.T) {
		tf, held := b.tf.For(t), r2.Copy()
		p := tf.Walk().Plan(held, nil)
		p.Diagnostics.None(t)
		mentions(t, tf.ApplyPlan(p).OneWarning(t), "The configs of broker 2 were not reset", "does not know it any more")
		if held.Exists() {
			t.Error("The resource is still in state")
		}
	})
	t.Run("refresh of a broker that is gone", func(t *testing.T) {
		tf := b.tf.For(t)
		mentions(t, tf.Walk().Import(tf.Resource(typeName), "2").One(t), "Cannot import the configs of broker 2")
		tf.Walk().Refresh(r2).None(t)
		if r2.Exists() {
			t.Error("The resource is still in state")
		}
	})
}

// unregister makes a broker that does not run unknown to the cluster, and returns when the others say so.
func unregister(t testing.TB, cluster *testbed.Cluster, id int32) {
	t.Helper()
	client := cluster.Client(t)
	request := kmsg.NewPtrUnregisterBrokerRequest()
	request.BrokerID = id
	response, err := request.RequestWith(t.Context(), client)
	if err == nil {
		err = kerr.ErrorForCode(response.ErrorCode)
	}
	if err != nil {
		t.Fatalf("Unregister broker %d: %v", id, err)
	}
	for _, at := range views(cluster, clusterDefault) {
		waitFor(t, "broker "+strconv.Itoa(at)+" to forget it", func(ctx context.Context) error {
			describe := kmsg.NewPtrDescribeClusterRequest()
			describe.IncludeFencedBrokers = true
			answer, err := client.Broker(at).RetriableRequest(ctx, describe)
			if err != nil {
				return err
			}
			for _, broker := range answer.(*kmsg.DescribeClusterResponse).Brokers {
				if broker.NodeID == id {
					return errors.New("it is registered")
				}
			}
			return nil
		})
	}
}

// C-27: a broker that cannot be reached, and one that does not answer: the message names it, its address and the timeout, and neither
// holds a run up for long.
func TestUnreachableBroker(t *testing.T) {
	b := newBench(t)
	b.tf.Provider["request_timeout"] = "2s"
	config := ofBroker(3, configs{"log.segment.delete.delay.ms": "86400000"})
	r := b.applied(config)
	for name, c := range map[string]struct {
		fail   func(int) error
		reason string
	}{
		"refuses": {b.rec.Refuse, "refused"},
		"hangs":   {b.rec.Hang, "did not answer DescribeConfigs within 2s"},
	} {
		if err := c.fail(3); err != nil {
			t.Fatal(err)
		}
		begun := time.Now()
		mentions(t, b.tf.Walk().Refresh(r).OneWarning(t), "The configs of broker 3 could not be refreshed", "broker 3 at "+b.rec.Address(3), c.reason)
		mentions(t, b.tf.Walk().Plan(r, ofBroker(3, nil)).Diagnostics.One(t), "Cannot change the configs of broker 3", b.rec.Address(3), c.reason)
		p := b.tf.Walk().Plan(r, nil)
		mentions(t, p.Diagnostics.OneWarning(t), "can be reset only when it is back", b.rec.Address(3))
		mentions(t, b.tf.ApplyPlan(p).One(t), "Cannot destroy the configs of broker 3", b.rec.Address(3))
		if took := time.Since(begun); took > 2*time.Minute {
			t.Errorf("%s: it took %s", name, took)
		}
		if err := b.rec.Heal(3); err != nil {
			t.Fatal(err)
		}
	}
	b.tf.Empty(r, config)
	b.has("3", configs{"log.segment.delete.delay.ms": "86400000"})
}
