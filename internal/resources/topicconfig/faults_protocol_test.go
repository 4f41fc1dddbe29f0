// SPDX-License-Identifier: MPL-2.0

package topicconfig_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/twmb/franz-go/pkg/kmsg"

	"github.com/kafka-layout/terraform-provider-kafka/internal/acctest"
	"github.com/kafka-layout/terraform-provider-kafka/internal/testbed"
)

// C-102, C-135: what passes by itself is survived: an answer that is lost, a connection that closes, a controller that is being elected, a
// broker that times out. A write that may have been done is looked for before it is sent again, which only a broker that has not heard of
// it yet leads to, and the end is the declared set, of which the next plan changes nothing.
func TestTransientFaults(t *testing.T) {
	fail := func(code int16) testbed.Verdict {
		return testbed.EditAnswer(func(r kmsg.Response) {
			switch r := r.(type) {
			case *kmsg.IncrementalAlterConfigsResponse:
				r.Resources[0].ErrorCode = code
			case *kmsg.DescribeConfigsResponse:
				r.Resources[0].ErrorCode = code
			}
		})
	}
	verdicts := map[string]testbed.Verdict{
		"answer lost": testbed.LoseAnswer(), "connection closed": testbed.CloseConnection(),
		"not controller": fail(41), "timed out": fail(7), "network exception": fail(13), "quota": fail(89),
	}
	mayBeDone := map[string]bool{"answer lost": true, "timed out": true, "network exception": true}
	for _, key := range []kmsg.Key{kmsg.IncrementalAlterConfigs, kmsg.DescribeConfigs} {
		for name, verdict := range verdicts {
			t.Run(key.Name()+" "+name, func(t *testing.T) {
				b := newBench(t, configs{"flush.ms": "5000"})
				b.tf.Provider["request_timeout"] = "10s"
				p := b.tf.Plan(b.resource, b.declare(configs{"segment.ms": "3600000"}))
				p.Diagnostics.NoErrors(t)
				var hits atomic.Int32
				b.rec.Intercept(func(q testbed.Request) testbed.Verdict {
					alter, ok := q.Body.(*kmsg.IncrementalAlterConfigsRequest)
					if q.Key == int16(key) && (!ok || !alter.ValidateOnly) {
						if hits.Add(1) <= 2 {
							return verdict
						}
					}
					return testbed.Forward()
				})
				b.tf.ApplyPlan(p).NoErrors(t)
				if key == kmsg.IncrementalAlterConfigs && mayBeDone[name] {
					b.looksBeforeItRepeats()
				} else if hits.Load() < 3 {
					t.Errorf("%s was sent %d times", key.Name(), hits.Load())
				}
				b.has(configs{"segment.ms": "3600000"})
				b.tf.Empty(b.resource, b.declare(configs{"segment.ms": "3600000"}))
			})
		}
	}
}

// looksBeforeItRepeats fails the test if there was no write, or one after another without a read between them.
func (b bench) looksBeforeItRepeats() {
	b.t.Helper()
	writes, looked := 0, true
	for _, q := range b.rec.Requests() {
		if isWrite(q) {
			if writes++; !looked {
				b.t.Errorf("A write was repeated unseen:\n%s", b.rec)
			}
			looked = false
		}
		looked = looked || q.Key == int16(kmsg.DescribeConfigs)
	}
	if writes == 0 {
		b.t.Errorf("There was no write:\n%s", b.rec)
	}
}

// Acceptance line 14: an interrupt in mid-apply ends it, leaves state true, and the next apply finishes.
func TestInterruptedApply(t *testing.T) {
	for _, action := range []acctest.Action{acctest.Create, acctest.Update, acctest.Delete} {
		t.Run(string(action), func(t *testing.T) {
			b := newBench(t, configs{"flush.ms": "5000"})
			config := b.declare(configs{"segment.ms": "3600000"})
			if action != acctest.Create {
				b.tf.Apply(b.resource, b.declare(configs{"flush.ms": "5000"}))
			}
			if action == acctest.Delete {
				config = nil
			}
			before := b.resource.State()
			p := b.tf.Plan(b.resource, config)
			p.Diagnostics.NoErrors(t)
			ctx, interrupt := context.WithCancel(t.Context())
			stop := b.rec.Intercept(func(q testbed.Request) testbed.Verdict {
				if alter, ok := q.Body.(*kmsg.IncrementalAlterConfigsRequest); ok && !alter.ValidateOnly {
					interrupt()
					return testbed.NoAnswer()
				}
				return testbed.Forward()
			})
			b.tf.Context = ctx
			got := b.tf.ApplyPlan(p).One(t)
			if !strings.HasPrefix(got.Detail, "The run was interrupted") || strings.Contains(got.Detail, "destroy = false") {
				t.Errorf("%s", got)
			}
			if fmt.Sprint(b.resource.State()) != fmt.Sprint(before) {
				t.Errorf("State was %v and is %v", before, b.resource.State())
			}
			stop()
			b.tf.Context = nil
			if action == acctest.Delete {
				b.tf.Destroy(b.resource)
				b.has(configs{})
				return
			}
			b.tf.Apply(b.resource, config)
			b.has(configs{"segment.ms": "3600000"})
			b.tf.Empty(b.resource, config)
		})
	}
}

// C-15: what a broker accepts and does not show is an error that names broker, key, and both values; after a create nothing is in
// state, after an update the former state.
func TestAWriteThatHasNoEffect(t *testing.T) {
	for name, c := range map[string]struct {
		lag    func(configs)
		detail string
	}{
		"not set":   {func(own configs) { delete(own, "segment.ms") }, `segment.ms is not set although "3600000" was written`},
		"another":   {func(own configs) { own["segment.ms"] = "1800000" }, `segment.ms is "1800000" although "3600000" was written`},
		"not reset": {func(own configs) { own["flush.ms"] = "5000" }, `flush.ms is still set (to "5000") although it was reset`},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t, configs{"flush.ms": "5000"})
			config := b.declare(configs{"segment.ms": "3600000"}).With("timeouts", values{"create": "1s", "update": "1s"})
			p := b.tf.Plan(b.resource, config)
			b.rec.Intercept(stale(b.topic, c.lag))
			got := b.tf.ApplyPlan(p).One(t)
			if !strings.Contains(got.Detail, "the write was accepted, but broker ") || !strings.Contains(got.Detail, c.detail) {
				t.Errorf("%s", got)
			}
			if b.resource.Exists() {
				t.Error("A failed create left a resource in state")
			}
		})
	}
}

// C-15; C-136: where the time ran out, the error says what was waited for: a broker that does not answer, a topic that no broker shows.
func TestOutOfTime(t *testing.T) {
	written := func(q testbed.Request) bool {
		alter, ok := q.Body.(*kmsg.IncrementalAlterConfigsRequest)
		return ok && !alter.ValidateOnly
	}
	for name, c := range map[string]struct {
		judge  func() func(testbed.Request) testbed.Verdict
		detail string
	}{
		"a silent broker": {func() func(testbed.Request) testbed.Verdict {
			var done atomic.Bool
			return func(q testbed.Request) testbed.Verdict {
				if done.CompareAndSwap(false, written(q)); done.Load() && q.Broker == 2 && q.Key == int16(kmsg.DescribeConfigs) {
					return testbed.NoAnswer()
				}
				return testbed.Forward()
			}
		}, "The time given in the timeouts block is over, waiting for broker 2 to answer DescribeConfigs. "},
		"a topic that nobody shows": {func() func(testbed.Request) testbed.Verdict {
			return func(q testbed.Request) testbed.Verdict {
				if q.Key != int16(kmsg.DescribeConfigs) {
					return testbed.Forward()
				}
				return testbed.EditAnswer(func(r kmsg.Response) { r.(*kmsg.DescribeConfigsResponse).Resources[0].ErrorCode = 3 })
			}
		}, "The time given in the timeouts block is over, waiting for a broker to show topic "},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t, nil)
			p := b.tf.Plan(b.resource, b.declare(configs{"segment.ms": "3600000"}).With("timeouts", values{"create": "2s"}))
			p.Diagnostics.NoErrors(t)
			b.rec.Intercept(c.judge())
			if got := b.tf.ApplyPlan(p).One(t); !strings.HasPrefix(got.Detail, c.detail) || strings.Contains(got.Detail, "context deadline") {
				t.Errorf("%s", got)
			}
		})
	}
}

// C-17: brokers that learn of a write late are waited for.
func TestBrokersThatLagBehind(t *testing.T) {
	b := newBench(t, configs{"flush.ms": "5000"})
	config := b.declare(configs{"segment.ms": "3600000"})
	p := b.tf.Plan(b.resource, config)
	var mu sync.Mutex
	asked := map[int]int{}
	var written atomic.Bool
	b.rec.Intercept(func(q testbed.Request) testbed.Verdict {
		if alter, ok := q.Body.(*kmsg.IncrementalAlterConfigsRequest); ok && !alter.ValidateOnly {
			written.Store(true)
		}
		if q.Key == int16(kmsg.DescribeConfigs) && written.Load() {
			mu.Lock()
			defer mu.Unlock()
			if asked[q.Broker]++; asked[q.Broker] < 10*q.Broker {
				return stale(b.topic, func(own configs) { own["flush.ms"] = "5000"; delete(own, "segment.ms") })(q)
			}
		}
		return testbed.Forward()
	})
	b.tf.ApplyPlan(p).NoErrors(t)
	for id, n := range asked {
		if n < 10*id {
			t.Errorf("Broker %d was asked %d times", id, n)
		}
	}
	if len(asked) != 3 {
		t.Errorf("%d brokers were asked", len(asked))
	}
}

// C-16: a key that the server adds with a write is no failure; it shows as foreign in the next plan.
func TestAKeyThatTheServerAdds(t *testing.T) {
	b := newBench(t, nil)
	config := b.declare(configs{"segment.ms": "3600000"})
	p := b.tf.Plan(b.resource, config)
	var written atomic.Bool
	b.rec.Intercept(func(q testbed.Request) testbed.Verdict {
		if alter, ok := q.Body.(*kmsg.IncrementalAlterConfigsRequest); ok && !alter.ValidateOnly {
			written.Store(true)
		}
		if !written.Load() {
			return testbed.Forward()
		}
		return stale(b.topic, func(own configs) { own["flush.ms"] = "1" })(q)
	})
	b.tf.ApplyPlan(p).NoErrors(t)
	p = b.tf.Plan(b.resource, config)
	plans(t, p, acctest.Update, configs{"segment.ms": "3600000"})
	b.inState(configs{"segment.ms": "3600000", "flush.ms": "1"})
}

// C-22: null, hidden and empty stay apart: a hidden key is in sensitive_keys by name, an empty one in config as "".
func TestNullHiddenAndEmpty(t *testing.T) {
	b := newBench(t, nil)
	b.applied(b.declare(configs{"follower.replication.throttled.replicas": ""}))
	b.inState(configs{"follower.replication.throttled.replicas": ""})
	b.has(configs{"follower.replication.throttled.replicas": ""})
	b.rec.Intercept(func(q testbed.Request) testbed.Verdict {
		if q.Key != int16(kmsg.DescribeConfigs) {
			return testbed.Forward()
		}
		return testbed.EditAnswer(func(r kmsg.Response) {
			for i, c := range r.(*kmsg.DescribeConfigsResponse).Resources[0].Configs {
				changed := &r.(*kmsg.DescribeConfigsResponse).Resources[0].Configs[i]
				switch c.Name {
				case "segment.ms": // a foreign secret
					changed.Source, changed.Value, changed.IsSensitive = kmsg.ConfigSourceDynamicTopicConfig, nil, true
				case "flush.ms": // described without a value, not the topic's own
					changed.Value = nil
				}
			}
		})
	})
	p := b.tf.Plan(b.resource, b.declare(configs{"follower.replication.throttled.replicas": ""}))
	plans(t, p, acctest.Update, configs{"follower.replication.throttled.replicas": ""})
	b.inState(configs{"follower.replication.throttled.replicas": ""})
	if got := fmt.Sprint(b.resource.State()["sensitive_keys"], p.After["sensitive_keys"]); got != "[segment.ms] []" {
		t.Errorf("sensitive_keys before and after: %s", got)
	}
}

// C-121: whatever a broker answers, there is no panic and no invented value.
func TestOddAnswers(t *testing.T) {
	for name, edit := range map[string]func(*kmsg.DescribeConfigsResponse){
		"no resources":  func(r *kmsg.DescribeConfigsResponse) { r.Resources = nil },
		"another topic": func(r *kmsg.DescribeConfigsResponse) { r.Resources[0].ResourceName = "another" },
		"unknown code":  func(r *kmsg.DescribeConfigsResponse) { r.Resources[0].ErrorCode = 4242 },
		"another type":  func(r *kmsg.DescribeConfigsResponse) { r.Resources[0].ResourceType = kmsg.ConfigResourceTypeBroker },
		"twice":         func(r *kmsg.DescribeConfigsResponse) { r.Resources = append(r.Resources, r.Resources[0]) },
		"no configs":    func(r *kmsg.DescribeConfigsResponse) { r.Resources[0].Configs = nil },
		"a key twice": func(r *kmsg.DescribeConfigsResponse) {
			r.Resources[0].Configs = append(r.Resources[0].Configs, r.Resources[0].Configs...)
		},
		"an empty name":   func(r *kmsg.DescribeConfigsResponse) { r.Resources[0].Configs[0].Name = "" },
		"no value":        func(r *kmsg.DescribeConfigsResponse) { r.Resources[0].Configs[0].Value = nil },
		"an unknown type": func(r *kmsg.DescribeConfigsResponse) { r.Resources[0].Configs[0].ConfigType = 99 },
		"unknown source":  func(r *kmsg.DescribeConfigsResponse) { r.Resources[0].Configs[0].Source = 99 },
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t, nil)
			b.tf.Provider["request_timeout"] = "1s"
			config := b.declare(configs{"segment.ms": "3600000"})
			b.tf.Apply(b.resource, config)
			b.rec.Intercept(func(q testbed.Request) testbed.Verdict {
				if q.Key != int16(kmsg.DescribeConfigs) {
					return testbed.Forward()
				}
				return testbed.EditAnswer(func(r kmsg.Response) { edit(r.(*kmsg.DescribeConfigsResponse)) })
			})
			p := b.tf.Plan(b.resource, config)
			_, missing := map[string]bool{"no resources": true, "another topic": true, "unknown code": true, "another type": true}[name]
			if missing {
				p.Diagnostics.One(t)
				b.inState(configs{"segment.ms": "3600000"})
				return
			}
			p.Diagnostics.NoErrors(t)
		})
	}
}
