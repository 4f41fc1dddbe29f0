// SPDX-License-Identifier: MPL-2.0

package testbed

import (
	"context"
	"errors"
	"fmt"
	"net"
	"slices"
	"syscall"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"
)

// alterKey is IncrementalAlterConfigs.
const alterKey = int16(kmsg.IncrementalAlterConfigs)

// throughRecorder returns a client whose traffic the recorder sees.
func throughRecorder(t *testing.T, r *Recorder, options ...kgo.Opt) *kadm.Client {
	t.Helper()
	options = append([]kgo.Opt{kgo.SeedBrokers(r.BootstrapServers()...), kgo.RequestRetries(0)}, options...)
	client, err := kgo.NewClient(options...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.Close)
	return kadm.NewClient(client)
}

func setRetention(value string) []kadm.AlterConfig {
	return []kadm.AlterConfig{{Op: kadm.SetConfig, Name: "retention.ms", Value: &value}}
}

func retention(t *testing.T, admin *kadm.Client, topic string) string {
	t.Helper()
	configs, err := admin.DescribeTopicConfigs(context.Background(), topic)
	if err != nil {
		t.Fatal(err)
	}
	for _, config := range configs[0].Configs {
		if config.Key == "retention.ms" {
			return config.MaybeValue()
		}
	}
	t.Fatalf("topic %q has no retention.ms", topic)
	return ""
}

func TestRecorderCountsWritesAndValidations(t *testing.T) {
	c := Shared(t)
	topic := c.UniqueTopic(t, 1, 3)
	r := Record(t, c)
	admin := throughRecorder(t, r)
	ctx := context.Background()

	if _, err := admin.DescribeTopicConfigs(ctx, topic); err != nil {
		t.Fatal(err)
	}
	expect := func(step string, writes, validations int) {
		t.Helper()
		if len(r.Writes()) != writes || len(r.Validations()) != validations {
			t.Fatalf("%s: %d writes and %d validations, want %d and %d:\n%s", step, len(r.Writes()), len(r.Validations()), writes, validations, r)
		}
	}
	expect("after a read", 0, 0)
	if r.Count(int16(kmsg.DescribeConfigs)) != 1 {
		t.Fatalf("one DescribeConfigs was sent:\n%s", r)
	}
	if _, err := admin.ValidateAlterTopicConfigs(ctx, setRetention("1000000"), topic); err != nil {
		t.Fatal(err)
	}
	expect("after a validation", 0, 1)
	if _, err := admin.AlterTopicConfigs(ctx, setRetention("2000000"), topic); err != nil {
		t.Fatal(err)
	}
	expect("after a write", 1, 1)

	sent := r.Writes()[0]
	body := sent.Body.(*kmsg.IncrementalAlterConfigsRequest)
	if got := body.Resources[0].Configs[0]; got.Name != "retention.ms" || *got.Value != "2000000" || !sent.Forwarded {
		t.Fatalf("the recorded write is %+v, forwarded %v", got, sent.Forwarded)
	}
	r.Reset()
	expect("after a reset", 0, 0)
	if len(r.Requests()) != 0 {
		t.Fatalf("requests are left after a reset:\n%s", r)
	}
}

func TestRecorderKeepsClientsOnTheProxies(t *testing.T) {
	c := Shared(t)
	r := Record(t, c)
	dialled := make(chan string, 100)
	admin := throughRecorder(t, r, kgo.Dialer(func(ctx context.Context, network, host string) (net.Conn, error) {
		dialled <- host
		return new(net.Dialer).DialContext(ctx, network, host)
	}))
	metadata, err := admin.BrokerMetadata(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	for _, b := range metadata.Brokers {
		if got, want := fmt.Sprintf("%s:%d", b.Host, b.Port), r.Address(int(b.NodeID)); got != want {
			t.Errorf("Metadata names broker %d at %s, want its proxy %s", b.NodeID, got, want)
		}
	}
	// DescribeLogDirs goes to each broker.
	if _, err := admin.DescribeAllLogDirs(context.Background(), nil); err != nil {
		t.Fatal(err)
	}
	var brokers []int
	for _, q := range r.RequestsOf(int16(kmsg.DescribeLogDirs)) {
		brokers = append(brokers, q.Broker)
	}
	slices.Sort(brokers)
	if !slices.Equal(brokers, []int{1, 2, 3}) {
		t.Errorf("DescribeLogDirs was recorded at brokers %v:\n%s", brokers, r)
	}
	close(dialled)
	for address := range dialled {
		if !slices.Contains(r.BootstrapServers(), address) {
			t.Errorf("the client left the proxies for %s", address)
		}
	}
	for _, key := range []kmsg.Request{kmsg.NewPtrDescribeClusterRequest(), newFindCoordinator()} {
		checkAddresses(t, r, key)
	}
}

func newFindCoordinator() kmsg.Request {
	request := kmsg.NewPtrFindCoordinatorRequest()
	request.CoordinatorKeys = []string{"any-group"}
	return request
}

// checkAddresses asks broker 1's proxy and checks that the answer names proxies only.
func checkAddresses(t *testing.T, r *Recorder, request kmsg.Request) {
	t.Helper()
	client, err := kgo.NewClient(kgo.SeedBrokers(r.Address(1)))
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	ctx, cancel := context.WithTimeout(context.Background(), visibleTimeout)
	defer cancel()
	for {
		response, err := client.SeedBrokers()[0].Request(ctx, request)
		if err != nil {
			t.Fatal(err)
		}
		named := map[int32]string{}
		switch v := response.(type) {
		case *kmsg.DescribeClusterResponse:
			for _, b := range v.Brokers {
				named[b.NodeID] = fmt.Sprintf("%s:%d", b.Host, b.Port)
			}
		case *kmsg.FindCoordinatorResponse:
			for _, b := range v.Coordinators {
				if b.ErrorCode == 0 { // else the offsets topic is being created
					named[b.NodeID] = fmt.Sprintf("%s:%d", b.Host, b.Port)
				}
			}
		}
		for id, address := range named {
			if address != r.Address(int(id)) {
				t.Errorf("%T names broker %d at %s, want its proxy %s", response, id, address, r.Address(int(id)))
			}
		}
		if len(named) > 0 {
			return
		}
		select {
		case <-ctx.Done():
			t.Fatalf("%T names no broker", response)
		case <-time.After(pollInterval):
		}
	}
}

func TestRecorderLosesAnAnswer(t *testing.T) {
	c := Shared(t)
	topic := c.UniqueTopic(t, 1, 3)
	r := Record(t, c)
	r.Next(alterKey, LoseAnswer())
	admin := throughRecorder(t, r)
	if _, err := admin.AlterTopicConfigs(context.Background(), setRetention("3000000"), topic); err == nil {
		t.Fatal("the answer arrived")
	}
	direct := c.Admin(t)
	c.EachBroker(t, "the lost write", func(context.Context, *kgo.Broker) error {
		if got := retention(t, direct, topic); got != "3000000" {
			return errors.New(got)
		}
		return nil
	})
	// The fault was for one request only.
	if _, err := admin.AlterTopicConfigs(context.Background(), setRetention("4000000"), topic); err != nil {
		t.Fatal(err)
	}
}

func TestRecorderClosesAConnection(t *testing.T) {
	c := Shared(t)
	topic := c.UniqueTopic(t, 1, 3)
	before := retention(t, c.Admin(t), topic)
	r := Record(t, c)
	r.Next(alterKey, CloseConnection())
	if _, err := throughRecorder(t, r).AlterTopicConfigs(context.Background(), setRetention("3000000"), topic); err == nil {
		t.Fatal("the request was answered")
	}
	if got := retention(t, c.Admin(t), topic); got != before {
		t.Fatalf("the broker changed retention.ms from %s to %s", before, got)
	}
	if sent := r.Writes(); len(sent) != 1 || sent[0].Forwarded {
		t.Fatalf("want one write, not passed on:\n%s", r)
	}
}

func TestRecorderForgesAnswers(t *testing.T) {
	c := Shared(t)
	topic := c.UniqueTopic(t, 1, 3)
	r := Record(t, c)
	admin := throughRecorder(t, r)
	r.Next(alterKey, EditAnswer(func(response kmsg.Response) {
		v := response.(*kmsg.IncrementalAlterConfigsResponse)
		v.Resources[0].ErrorCode = kerr.RequestTimedOut.Code
		v.Resources[0].ErrorMessage = kmsg.StringPtr("edited")
	}))
	got, err := admin.AlterTopicConfigs(context.Background(), setRetention("5000000"), topic)
	if err != nil || !errors.Is(got[0].Err, kerr.RequestTimedOut) || got[0].ErrMessage != "edited" {
		t.Fatalf("got %+v, %v, want the edited answer", got, err)
	}
	stop := r.Intercept(func(q Request) Verdict {
		if q.Key != alterKey {
			return Forward()
		}
		response := kmsg.NewPtrIncrementalAlterConfigsResponse()
		for _, resource := range q.Body.(*kmsg.IncrementalAlterConfigsRequest).Resources {
			refused := kmsg.NewIncrementalAlterConfigsResponseResource()
			refused.ResourceType, refused.ResourceName = resource.ResourceType, resource.ResourceName
			refused.ErrorCode = kerr.NotController.Code
			response.Resources = append(response.Resources, refused)
		}
		return Answer(response)
	})
	got, err = admin.AlterTopicConfigs(context.Background(), setRetention("6000000"), topic)
	if err != nil || !errors.Is(got[0].Err, kerr.NotController) {
		t.Fatalf("got %+v, %v, want the forged answer", got, err)
	}
	stop()
	if value := retention(t, c.Admin(t), topic); value == "6000000" {
		t.Fatal("the broker carried out a request that the recorder answered")
	}
	if got, err = admin.AlterTopicConfigs(context.Background(), setRetention("7000000"), topic); err != nil || got[0].Err != nil {
		t.Fatalf("after stop: %+v, %v", got, err)
	}
}

func TestRecorderHangsRefusesAndHeals(t *testing.T) {
	r := Record(t, Shared(t))
	address := r.Address(2)
	ask := func(timeout time.Duration) error {
		client, err := kgo.NewClient(kgo.SeedBrokers(address), kgo.RequestRetries(0))
		if err != nil {
			t.Fatal(err)
		}
		defer client.Close()
		ctx, cancel := context.WithTimeout(context.Background(), timeout)
		defer cancel()
		_, err = client.SeedBrokers()[0].Request(ctx, kmsg.NewPtrMetadataRequest())
		return err
	}
	if err := r.Hang(2); err != nil {
		t.Fatal(err)
	}
	if err := ask(time.Second); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("a broker that hangs gave %v, want the end of the wait", err)
	}
	if err := r.Heal(2); err != nil {
		t.Fatal(err)
	}
	if err := ask(visibleTimeout); err != nil {
		t.Errorf("after Heal: %v", err)
	}
	if err := r.Refuse(2); err != nil {
		t.Fatal(err)
	}
	if _, err := net.Dial("tcp", address); !errors.Is(err, syscall.ECONNREFUSED) {
		t.Errorf("a broker that refuses gave %v, want a refused connection", err)
	}
	if err := r.Heal(2); err != nil {
		t.Fatal(err)
	}
	if err := ask(visibleTimeout); err != nil {
		t.Errorf("after Heal: %v", err)
	}
	if err := r.Hang(9); err == nil {
		t.Error("a broker that is not there can hang")
	}
}
