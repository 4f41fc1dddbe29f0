// SPDX-License-Identifier: MPL-2.0

package topicconfig_test

import (
	"crypto/tls"
	"fmt"
	"net"
	"net/http/httptest"
	"strings"
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
			wayOut := " Correct bootstrap_servers of the provider (or KAFKA_BOOTSTRAP_SERVERS), or make the brokers reachable from here."
			if name == "TLS" {
				wayOut = " Correct tls of the provider (or the KAFKA_TLS_ variables), the host or port in bootstrap_servers, or the certificate of the broker."
			}
			if got.Summary != `Cannot plan the configs of topic "orders"` || !strings.HasPrefix(got.Detail, "cannot connect to the Kafka cluster: ") ||
				!strings.HasSuffix(got.Detail, wayOut) {
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
