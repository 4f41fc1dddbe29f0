// SPDX-License-Identifier: MPL-2.0

package testbed

import (
	"context"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kgo"
)

func TestSharedClusterIsAsDescribed(t *testing.T) {
	c := Shared(t)
	metadata, err := c.Admin(t).BrokerMetadata(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	if metadata.Cluster != c.ClusterID() {
		t.Errorf("the brokers report cluster %s, want %s", metadata.Cluster, c.ClusterID())
	}
	got := map[int32]string{}
	for _, b := range metadata.Brokers {
		got[b.NodeID] = fmt.Sprintf("%s %s:%d", *b.Rack, b.Host, b.Port)
	}
	for i, b := range c.Brokers() {
		if want := fmt.Sprintf("rack-%c %s", 'a'+i, b.Address); got[int32(b.ID)] != want {
			t.Errorf("broker %d is %s, want %s", b.ID, got[int32(b.ID)], want)
		}
	}
	if len(got) != 3 {
		t.Errorf("the cluster has %d brokers, want 3", len(got))
	}
	for _, b := range c.Brokers() {
		if _, err := os.Stat(c.LogDir(b.ID)); err != nil {
			t.Errorf("broker %d has no log: %v", b.ID, err)
		}
	}
}

// One cluster serves all tests of what can happen to a broker, as a start takes seconds.
func TestOwnCluster(t *testing.T) {
	shared := Shared(t)
	c := Own(t, Options{ServerProperties: map[string]string{"log.retention.ms": "123456789", "auto.create.topics.enable": "false"}})
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()

	if c.ClusterID() == shared.ClusterID() || slices.ContainsFunc(c.BootstrapServers(), func(s string) bool {
		return slices.Contains(shared.BootstrapServers(), s)
	}) {
		t.Fatalf("two clusters side by side are the same: %v and %v", c.Brokers(), shared.Brokers())
	}
	topic := c.UniqueTopic(t, 3, 3)
	t.Run("server properties", func(t *testing.T) {
		if got := retention(t, c.Admin(t), topic); got != "123456789" {
			t.Errorf("retention.ms is %s, want the one of the server properties", got)
		}
	})
	t.Run("stop and restart", func(t *testing.T) { checkRestart(ctx, t, c, c.Stop, topic) })
	t.Run("kill and restart", func(t *testing.T) { checkRestart(ctx, t, c, c.Kill, topic) })
	t.Run("pause and resume", func(t *testing.T) { checkPause(ctx, t, c) })
	t.Run("add a broker", func(t *testing.T) { checkAddBroker(ctx, t, c) })
	t.Run("no such broker", func(t *testing.T) {
		if err := c.Stop(ctx, 77); err == nil || !strings.Contains(err.Error(), "no node 77") {
			t.Errorf("got %v", err)
		}
	})
}

// checkRestart ends broker 2, and has it back with its port and its data.
func checkRestart(ctx context.Context, t *testing.T, c *Cluster, end func(context.Context, int) error, topic string) {
	before := c.Brokers()[1]
	if err := end(ctx, 2); err != nil {
		t.Fatal(err)
	}
	if pid := c.Brokers()[1].Pid; pid != 0 {
		t.Fatalf("broker 2 still has pid %d", pid)
	}
	if err := syscall.Kill(before.Pid, 0); err == nil {
		t.Fatalf("process %d of broker 2 is still there", before.Pid)
	}
	if err := c.WaitBrokers(ctx); err != nil {
		t.Fatal(err)
	}
	c.WaitTopic(t, topic, 3) // with a leader for each partition
	if err := c.Restart(ctx, 2); err != nil {
		t.Fatal(err)
	}
	after := c.Brokers()[1]
	if after.Address != before.Address || after.Pid == before.Pid || after.Pid == 0 {
		t.Errorf("broker 2 was %+v and is %+v", before, after)
	}
	c.WaitTopic(t, topic, 3)
}

func checkPause(ctx context.Context, t *testing.T, c *Cluster) {
	if err := c.Pause(3); err != nil {
		t.Fatal(err)
	}
	client, err := kgo.NewClient(kgo.SeedBrokers(c.Brokers()[2].Address), kgo.RequestRetries(0))
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	short, cancel := context.WithTimeout(ctx, time.Second)
	defer cancel()
	if err := client.Ping(short); err == nil {
		t.Error("a paused broker answers")
	}
	if err := c.WaitBrokers(ctx); err != nil {
		t.Errorf("the others do not notice: %v", err)
	}
	if err := c.Resume(3); err != nil {
		t.Fatal(err)
	}
	if err := c.WaitBrokers(ctx); err != nil {
		t.Errorf("after Resume: %v", err)
	}
}

func checkAddBroker(ctx context.Context, t *testing.T, c *Cluster) {
	id, err := c.AddBroker(ctx, "rack-z")
	if err != nil {
		t.Fatal(err)
	}
	metadata, err := c.Admin(t).BrokerMetadata(ctx)
	if err != nil {
		t.Fatal(err)
	}
	for _, b := range metadata.Brokers {
		if int(b.NodeID) == id && *b.Rack == "rack-z" {
			c.UniqueTopic(t, 2, int16(len(metadata.Brokers)))
			return
		}
	}
	t.Errorf("broker %d in rack-z is not in %+v", id, metadata.Brokers)
}

// checkRacks: one broker has a rack of the options, one none, and both change. The broker that is added has none either.
func checkRacks(ctx context.Context, t *testing.T, c *Cluster) {
	has := func(want map[int32]string) {
		t.Helper()
		metadata, err := c.Admin(t).BrokerMetadata(ctx)
		if err != nil {
			t.Fatal(err)
		}
		got, told := map[int32]string{}, map[int32]string{}
		for _, b := range metadata.Brokers {
			if got[b.NodeID] = ""; b.Rack != nil {
				got[b.NodeID] = *b.Rack
			}
		}
		for _, b := range c.Brokers() {
			told[int32(b.ID)] = b.Rack
		}
		if !maps.Equal(got, want) || !maps.Equal(told, want) {
			t.Errorf("the brokers are in %v, said to be in %v, want %v", got, told, want)
		}
	}
	has(map[int32]string{1: "rack-x", 2: ""})
	if err := c.SetRacks(ctx, map[int]string{1: NoRack, 2: "rack-y"}); err != nil {
		t.Fatal(err)
	}
	has(map[int32]string{1: "", 2: "rack-y"})
	if _, err := c.AddBroker(ctx, NoRack); err != nil {
		t.Fatal(err)
	}
	has(map[int32]string{1: "", 2: "rack-y", 3: ""})
}

// Kafka 4.0 is the oldest that the fallbacks need, and shows that the version is an option.
func TestOldVersionSeparateControllerProxied(t *testing.T) {
	c := Own(t, Options{Version: "4.0.0", Brokers: 2, Racks: []string{"rack-x", NoRack}, SeparateControllers: true, Proxied: true})
	ctx := context.Background()
	admin := c.Admin(t)
	metadata, err := admin.BrokerMetadata(ctx)
	if err != nil {
		t.Fatal(err)
	}
	if ids := metadata.Brokers.NodeIDs(); !slices.Equal(ids, []int32{1, 2}) {
		t.Errorf("brokers are %v, want 1 and 2 without the controller", ids)
	}
	for i, b := range metadata.Brokers {
		if got := fmt.Sprintf("%s:%d", b.Host, b.Port); got != c.Brokers()[i].Address {
			t.Errorf("broker %d is advertised as %s, want its proxy %s", b.NodeID, got, c.Brokers()[i].Address)
		}
	}
	t.Run("version", func(t *testing.T) { checkVersion(ctx, t, c) })
	t.Run("latency", func(t *testing.T) { checkLatency(ctx, t, c) })
	t.Run("disconnect", func(t *testing.T) { checkDisconnect(ctx, t, c) })
	t.Run("kafka's own tool", func(t *testing.T) { checkTool(ctx, t, c) })
	t.Run("racks", func(t *testing.T) { checkRacks(ctx, t, c) })
}

// checkVersion looks for the version in the server's own words.
func checkVersion(_ context.Context, t *testing.T, c *Cluster) {
	log, err := os.ReadFile(c.LogDir(1) + "/server.log")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(log), "Kafka version: 4.0.0") {
		t.Errorf("broker 1 does not say that it is 4.0.0; its log is in %s", c.LogDir(1))
	}
}

func checkLatency(ctx context.Context, t *testing.T, c *Cluster) {
	client := c.Client(t)
	faults, err := c.Faults()
	if err != nil {
		t.Fatal(err)
	}
	const latency = 300 * time.Millisecond
	if err := faults.Latency(latency); err != nil {
		t.Fatal(err)
	}
	start := time.Now()
	if err := client.Ping(ctx); err != nil {
		t.Fatal(err)
	}
	// A lower bound: a busy machine can only add to it.
	if took := time.Since(start); took < latency {
		t.Errorf("an answer took %s with a latency of %s", took, latency)
	}
	if err := faults.Latency(0); err != nil {
		t.Fatal(err)
	}
}

func checkDisconnect(ctx context.Context, t *testing.T, c *Cluster) {
	faults, err := c.Faults()
	if err != nil {
		t.Fatal(err)
	}
	client, err := kgo.NewClient(kgo.SeedBrokers(c.Brokers()[0].Address), kgo.RequestRetries(0))
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	if err := faults.Disconnect(1, true); err != nil {
		t.Fatal(err)
	}
	if err := client.Ping(ctx); err == nil {
		t.Error("a disconnected broker answers")
	}
	if err := faults.Disconnect(1, false); err != nil {
		t.Fatal(err)
	}
	if err := askUntil(ctx, c.Brokers()[0], func(ctx context.Context, b *kgo.Broker) error { return knows(ctx, b, c.ClusterID(), []int{1, 2}) }); err != nil {
		t.Error(err)
	}
}

func checkTool(ctx context.Context, t *testing.T, c *Cluster) {
	topic := c.UniqueTopic(t, 1, 2)
	out, err := c.RunTool(ctx, "kafka.admin.ConfigCommand", "--bootstrap-server", c.BootstrapServers()[0],
		"--alter", "--topic", topic, "--add-config", "retention.ms=4242424")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(out, "Completed updating config for topic "+topic) {
		t.Errorf("the tool said %q", out)
	}
	if out, err = c.RunTool(ctx, "kafka.admin.ConfigCommand", "--no-such-option"); err == nil {
		t.Errorf("a wrong call is no error: %q", out)
	}
}

func TestStartSaysWhatIsWrong(t *testing.T) {
	tests := map[string]struct {
		options Options
		want    string
	}{
		"old version":      {Options{Version: "1.1.1", Mode: ZooKeeper}, "2.0 and later"},
		"no version":       {Options{Version: "latest"}, "2.0 and later"},
		"no KRaft":         {Options{Version: "2.2.2"}, `Options.Mode "zookeeper" only`},
		"no ZooKeeper":     {Options{Version: "4.0.0", Mode: ZooKeeper}, "Kafka 4.0 dropped it"},
		"no mode":          {Options{Mode: "raft"}, `no Options.Mode "raft"`},
		"two controllers":  {Options{Version: "3.9.2", Mode: ZooKeeper, SeparateControllers: true}, "none is separate"},
		"too many ports":   {Options{Brokers: 1, Ports: []int{1, 2}}, "2 client ports for 1 brokers"},
		"too many racks":   {Options{Brokers: 1, Racks: []string{"a", NoRack}}, "2 racks for 1 brokers"},
		"negative brokers": {Options{Brokers: -1}, "-1 brokers"},
		"bad property":     {Options{Brokers: 1, ServerProperties: map[string]string{"num.io.threads": "many"}}, "num.io.threads"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Setenv("TMPDIR", t.TempDir()) // a failed start leaves its logs
			c, err := Start(context.Background(), tt.options)
			if err == nil {
				_ = c.Close()
				t.Fatal("it started")
			}
			if !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got %v, want %q in it", err, tt.want)
			}
		})
	}
}

// A port that somebody else holds is noticed, and where the test bed chose it another is taken; where the caller chose it, it cannot be.
func TestStartNamesTheLogWhereAPortIsTaken(t *testing.T) {
	c := Shared(t)
	ports := make([]int, len(c.Brokers())) // all of them: who answers there has brokers of the same ids, and is not this cluster
	for i, b := range c.Brokers() {
		if _, err := fmt.Sscanf(b.Address, "127.0.0.1:%d", &ports[i]); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("TMPDIR", t.TempDir()) // a failed start leaves its logs
	_, err := Start(context.Background(), Options{Brokers: len(ports), Ports: ports})
	if err == nil || !strings.Contains(err.Error(), "Address already in use") {
		t.Fatalf("got %v, want the server's own words", err)
	}
	_, logFile, _ := strings.Cut(err.Error(), "Its log is ")
	logFile, _, _ = strings.Cut(logFile, " ")
	if info, err := os.Stat(logFile); err != nil || info.Mode().Type() != fs.FileMode(0) {
		t.Errorf("the log that the error names is not there: %q: %v", logFile, err)
	}
}
