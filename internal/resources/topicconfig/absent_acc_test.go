// SPDX-License-Identifier: MPL-2.0

package topicconfig_test

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/twmb/franz-go/pkg/kerr"

	"github.com/kafka-layout/terraform-provider-kafka/internal/acctest/cli"
	"github.com/kafka-layout/terraform-provider-kafka/internal/testbed"
)

// Acceptance line 9: a topic that is not there is planned without noise; the apply says in one sentence what to do, and succeeds
// where another resource of the configuration makes the topic first. Cases C-24, C-17, C-122.
func TestAccTopicConfig_absentTopic(t *testing.T) {
	t.Parallel()
	w := cli.New(t)
	cluster := testbed.Shared(t)
	topic := testbed.UniqueName(t)
	declared := map[string]string{"cleanup.policy": "compact"}
	block := cli.ProviderBlock(cluster.BootstrapServers())
	w.Write("main.tf", block+resourceBlock("absent", topic, declared))

	planned := w.Run("plan", "-detailed-exitcode").Exits(cli.Changes).Says("Plan: 1 to add, 0 to change, 0 to destroy")
	if n := strings.Count(planned.Stdout+planned.Stderr, "Warning: "); n != 1 { // terraform's own, that an override is in effect
		t.Errorf("The plan has %d warnings, expected 1:\n%s", n, planned.Stdout)
	}
	w.Run("apply", "-auto-approve").Exits(cli.Failed).Says(
		fmt.Sprintf("Error: Cannot create the configs of topic %q with kafka_topic_config.absent", topic),
		fmt.Sprintf("The topic %q does not exist; create it first, for example with kafka-topics.sh --create --topic %s, and run this again.", topic, topic))
	if state := w.State(); len(state) != 0 {
		t.Errorf("State has %v after a failed create", state)
	}

	w.Write("main.tf", block+creates("made", topic, cluster)+resourceBlock("absent", topic, declared, "depends_on = [terraform_data.made]"))
	t.Cleanup(func() {
		if _, err := cluster.Admin(t).DeleteTopic(context.Background(), topic); err != nil && !errors.Is(err, kerr.UnknownTopicOrPartition) {
			t.Errorf("Delete topic %q: %v", topic, err)
		}
	})
	w.Run("apply", "-auto-approve").Succeeds().Says("2 added, 0 changed, 0 destroyed")
	expectConfigs(t, cluster.Admin(t), topic, declared)
	w.Run("plan", "-detailed-exitcode").Exits(cli.NoChanges)
}

// creates is a resource that makes a topic when it is applied: its provisioner calls the test binary, see init.
func creates(label, topic string, cluster *testbed.Cluster) string {
	return fmt.Sprintf(`
resource "terraform_data" %q {
  input = %q
  provisioner "local-exec" {
    command = %q
    environment = {
      %s = %q
      %s = %q
    }
  }
}
`, label, topic, os.Args[0], createTopicVariable, topic, atBrokersVariable, strings.Join(cluster.BootstrapServers(), ","))
}

// Acceptance line 10: values that only the apply knows are planned as such, on create and on update. Cases C-24, C-105.
func TestAccTopicConfig_unknownValues(t *testing.T) {
	t.Parallel()
	w := cli.New(t)
	cluster := testbed.Shared(t)
	admin := cluster.Admin(t)
	topic := cluster.UniqueTopic(t, 1, 1)
	configuration := func(retention string) string {
		return cli.ProviderBlock(cluster.BootstrapServers()) + fmt.Sprintf(`
resource "terraform_data" "retention" {
  input = %q
}
resource "kafka_topic_config" "unknown" {
  topic  = %q
  config = { "retention.ms" = terraform_data.retention.output, "cleanup.policy" = "delete" }
}
`, retention, topic)
	}

	w.Write("main.tf", configuration("3600000"))
	w.Run("apply", "-auto-approve").Succeeds().Says(`"retention.ms" = (known after apply)`)
	expectConfigs(t, admin, topic, map[string]string{"retention.ms": "3600000", "cleanup.policy": "delete"})

	w.Write("main.tf", configuration("7200000"))
	w.Run("apply", "-auto-approve").Succeeds().Says(`"retention.ms" = "3600000" -> (known after apply)`, "0 added, 2 changed, 0 destroyed")
	expectConfigs(t, admin, topic, map[string]string{"retention.ms": "7200000", "cleanup.policy": "delete"})
	w.Run("plan", "-detailed-exitcode").Exits(cli.NoChanges)
}

// Acceptance line 10, the address itself: while bootstrap_servers is unknown nothing is asked of any cluster, least of all of the
// one that the environment names. Case C-105.
func TestAccTopicConfig_unknownBootstrapServers(t *testing.T) {
	t.Parallel()
	w := cli.New(t)
	cluster := testbed.Shared(t)
	topic := cluster.UniqueTopic(t, 1, 1)
	wrong, asked := otherCluster(t)
	w.Setenv("KAFKA_BOOTSTRAP_SERVERS", wrong)
	declared := map[string]string{"retention.ms": "3600000"}
	block := strings.Replace(cli.ProviderBlock([]string{"-"}), `["-"]`, "[terraform_data.address.output]", 1)
	w.Write("main.tf", block+fmt.Sprintf("resource \"terraform_data\" \"address\" {\n  input = %q\n}\n", cluster.BootstrapServers()[0])+
		resourceBlock("late", topic, declared))

	w.Run("plan", "-out=plan.out").Succeeds().Says("Plan: 2 to add, 0 to change, 0 to destroy")
	w.Run("apply", "plan.out").Succeeds()
	expectConfigs(t, cluster.Admin(t), topic, declared)
	if n := asked.Load(); n != 0 {
		t.Errorf("The address of the environment was connected to %d times", n)
	}

	// The same address is asked where the provider block has none: the count above could have been another.
	w.Write("main.tf", strings.Replace(block, "bootstrap_servers = [terraform_data.address.output]", "", 1)+resourceBlock("late", topic, declared))
	w.Run("plan").Exits(cli.Failed).Says(wrong)
	if asked.Load() == 0 {
		t.Error("The address of the environment was not connected to although the provider block has none")
	}
}

// otherCluster is an address where connections are counted and closed.
func otherCluster(t *testing.T) (address string, connections *atomic.Int32) {
	listener, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = listener.Close() })
	connections = &atomic.Int32{}
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			connections.Add(1)
			_ = conn.Close()
		}
	}()
	return listener.Addr().String(), connections
}
