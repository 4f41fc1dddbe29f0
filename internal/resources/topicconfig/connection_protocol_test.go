// SPDX-License-Identifier: MPL-2.0

package topicconfig_test

import (
	"context"
	"crypto/tls"
	"fmt"
	"net"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kmsg"

	"github.com/kafka-layout/terraform-provider-kafka/internal/acctest"
	"github.com/kafka-layout/terraform-provider-kafka/internal/testbed"
)

// silent is a port that takes connections and never answers.
func silent(t *testing.T) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = listener.Close() })
	return listener.Addr().String() // the system accepts, nobody reads
}

// speaksTLS is a port that wants TLS.
func speaksTLS(t *testing.T) string {
	t.Helper()
	server := httptest.NewUnstartedServer(nil)
	server.TLS = &tls.Config{MinVersion: tls.VersionTLS12}
	server.Config.ErrorLog = quietLog()
	server.StartTLS()
	t.Cleanup(server.Close)
	return server.Listener.Addr().String()
}

// greets is a port that says something of its own accord, as many protocols do.
func greets(t *testing.T, text string) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = listener.Close() })
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			t.Cleanup(func() { _ = conn.Close() })
			_, _ = conn.Write([]byte(text))
		}
	}()
	return listener.Addr().String()
}

// Acceptance line 14; C-114, C-136: each way in which an address can be wrong is one clear sentence that names it.
func TestWrongAddresses(t *testing.T) {
	t.Parallel()
	hung, secure, foreign := silent(t), speaksTLS(t), greets(t, "SSH-2.0-OpenSSH_9.9 ready\r\n")
	for name, c := range map[string]struct {
		servers []string
		details []string
	}{
		"refused":       {[]string{"127.0.0.1:1"}, []string{"127.0.0.1:1: connection refused"}},
		"no such name":  {[]string{"no-such-host.invalid:9092"}, []string{`no-such-host.invalid:9092: the name "no-such-host.invalid" cannot be resolved`}},
		"hangs":         {[]string{hung}, []string{hung + ": no answer to ApiVersions within 1s"}},
		"TLS":           {[]string{secure}, []string{secure + ": the port speaks TLS (certificate of O=Acme Co for example.com", "but the provider speaks plain text to it"}},
		"another thing": {[]string{foreign}, []string{foreign + ": what answers there does not speak Kafka's protocol"}},
		"each of three": {[]string{"127.0.0.1:1", hung, secure}, []string{"127.0.0.1:1: connection refused; " + hung + ": no answer", "; " + secure + ": the port speaks TLS"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			tf := acctest.New(t, values{"bootstrap_servers": c.servers, "request_timeout": "1s"})
			got := tf.Walk().Plan(tf.Resource(typeName), declare("orders", configs{})).Diagnostics.One(t)
			if got.Summary != `Cannot plan the configs of topic "orders"` || !strings.HasPrefix(got.Detail, "cannot connect to the Kafka cluster: ") ||
				!strings.HasSuffix(got.Detail, " Correct bootstrap_servers of the provider, or make the brokers reachable from here.") {
				t.Errorf("%s", got)
			}
			for _, text := range c.details {
				if !strings.Contains(got.Detail, text) {
					t.Errorf("%q is not in %s", text, got)
				}
			}
		})
	}
}

// Acceptance line 14; C-101: dead addresses among the bootstrap servers are passed over, and a failure is not remembered.
func TestDeadBootstrapServers(t *testing.T) {
	b := newBench(t, nil)
	servers := []string{"127.0.0.1:1", "no-such-host.invalid:9092", silent(t), b.cluster.BootstrapServers()[0]}
	tf := acctest.New(t, values{"bootstrap_servers": servers, "request_timeout": "3s"})
	config := b.declare(configs{"segment.ms": "3600000"})
	tf.Apply(b.resource, config).None(t)
	tf.Empty(b.resource, config)

	for _, broker := range b.cluster.Brokers() {
		if err := b.rec.Refuse(broker.ID); err != nil {
			t.Fatal(err)
		}
	}
	w := b.tf.Walk()
	w.Plan(b.resource, config.With("config", configs{})).Diagnostics.One(t)
	for _, broker := range b.cluster.Brokers() {
		if err := b.rec.Heal(broker.ID); err != nil {
			t.Fatal(err)
		}
	}
	w.Refresh(b.resource).None(t)
}

// Acceptance line 15: another cluster is refused before anything is asked of it, by plan, refresh, import, apply and destroy; both ids
// are named.
func TestWrongCluster(t *testing.T) {
	b := newBench(t, nil)
	config := b.declare(configs{"segment.ms": "3600000"})
	b.tf.Provider["cluster_id"] = b.cluster.ClusterID()
	b.tf.Apply(b.resource, config).None(t)
	right := *b.tf
	create, update, destroy := b.tf.Plan(b.tf.Resource(typeName), config), b.tf.Plan(b.resource, b.declare(configs{"segment.ms": "7200000"})), b.tf.Plan(b.resource, nil)
	wrong := acctest.New(t, values{"bootstrap_servers": b.rec.BootstrapServers(), "cluster_id": "5L6g3nShT-eMCtK--X86sw"})
	b.rec.Reset()
	for name, diags := range map[string]acctest.Diagnostics{
		"plan of a create":  wrong.Walk().Plan(wrong.Resource(typeName), config).Diagnostics,
		"plan of an update": wrong.Walk().Plan(b.resource.Copy(), b.declare(configs{})).Diagnostics,
		"plan of a destroy": wrong.Walk().Plan(b.resource.Copy(), nil).Diagnostics,
		"refresh":           wrong.Walk().Refresh(b.resource.Copy()),
		"import":            wrong.Walk().Import(wrong.Resource(typeName), b.topic),
		"create":            wrong.ApplyPlan(create),
		"update":            wrong.ApplyPlan(update),
		"destroy":           wrong.ApplyPlan(destroy),
	} {
		got := diags.One(t)
		want := fmt.Sprintf("the bootstrap servers belong to cluster %q, not to cluster %q. Nothing was read or written. "+
			"Correct bootstrap_servers or cluster_id of the provider.", b.cluster.ClusterID(), "5L6g3nShT-eMCtK--X86sw")
		if !strings.HasPrefix(got.Detail, want) {
			t.Errorf("%s: %s\nwant %s", name, got, want)
		}
	}
	for _, q := range b.rec.Requests() {
		if q.Key != int16(kmsg.ApiVersions) && q.Key != int16(kmsg.DescribeCluster) {
			t.Errorf("The wrong cluster was asked: %s", q)
		}
	}
	b.has(configs{"segment.ms": "3600000"})
	right.Empty(b.resource, config)
}

// Acceptance line 20; C-101: with one broker of three down, plans and applies of topics work and say nothing of it.
func TestOneBrokerDown(t *testing.T) {
	for _, way := range []string{"refuses", "hangs"} {
		for id := 1; id <= 3; id++ {
			t.Run(fmt.Sprintf("broker %d %s", id, way), func(t *testing.T) {
				b := newBench(t, nil)
				b.tf.Provider["request_timeout"] = "2s"
				b.tf.Apply(b.resource, b.declare(configs{"segment.ms": "3600000"}))
				var err error
				if way == "hangs" {
					err = b.rec.Hang(id)
				} else {
					err = b.rec.Refuse(id)
				}
				if err != nil {
					t.Fatal(err)
				}
				next := b.declare(configs{"segment.ms": "7200000"})
				said := b.tf.Apply(b.resource, next)
				for _, d := range said {
					// The cluster's others still name it as live: that it did not confirm is worth a warning.
					if !strings.Contains(d.Summary, fmt.Sprintf("not confirmed by broker %d", id)) {
						t.Errorf("%s", d)
					}
				}
				b.has(configs{"segment.ms": "7200000"})
				b.tf.Empty(b.resource, next)
			})
		}
	}
}

// Acceptance line 14; C-114: a broker that takes a request and never answers costs one request_timeout, and is named with the request
// where no other can answer.
func TestEveryBrokerHangs(t *testing.T) {
	b := newBench(t, nil)
	b.tf.Provider["request_timeout"] = "1s"
	config := b.declare(configs{"segment.ms": "3600000"})
	b.tf.Apply(b.resource, config)
	p := b.tf.Plan(b.resource, b.declare(configs{"segment.ms": "7200000"}))
	for _, key := range []kmsg.Key{kmsg.DescribeConfigs, kmsg.IncrementalAlterConfigs} {
		stop := b.rec.Intercept(func(q testbed.Request) testbed.Verdict {
			if q.Key == int16(key) {
				return testbed.NoAnswer()
			}
			return testbed.Forward()
		})
		begin := time.Now()
		var got acctest.Diagnostic
		if key == kmsg.DescribeConfigs {
			got = b.tf.Plan(b.resource, config).Diagnostics.One(t)
		} else {
			got = b.tf.ApplyPlan(p).One(t)
		}
		// Not a timing assertion: only that it is bounded by request_timeout, not by the minutes of a timeouts block.
		if took := time.Since(begin); took > time.Minute {
			t.Errorf("It took %s", took)
		}
		if !strings.Contains(got.Detail, "did not answer "+key.Name()+" within 1s") || !strings.Contains(got.Detail, "broker ") {
			t.Errorf("%s", got)
		}
		stop()
	}
	b.has(configs{"segment.ms": "3600000"})
	b.tf.Empty(b.resource, config)
}

// C-102: what passes by itself is survived: an answer that is lost, a connection that closes, a controller that is being elected, a
// broker that times out. A write that may have been done is not done twice, and the end is the declared set.
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
				if done := key == kmsg.IncrementalAlterConfigs && mayBeDone[name]; done && hits.Load() != 1 || !done && hits.Load() < 3 {
					t.Errorf("%s was sent %d times", key.Name(), hits.Load())
				}
				b.has(configs{"segment.ms": "3600000"})
				b.tf.Empty(b.resource, b.declare(configs{"segment.ms": "3600000"}))
			})
		}
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
			if !strings.Contains(got.Detail, "The run was interrupted") {
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
