// SPDX-License-Identifier: MPL-2.0

package topicconfig_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/compare"
	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"
	testingstate "github.com/hashicorp/terraform-plugin-testing/terraform"
	"github.com/hashicorp/terraform-plugin-testing/tfjsonpath"
	"github.com/hashicorp/terraform-plugin-testing/tfversion"
	"github.com/twmb/franz-go/pkg/kgo"

	"github.com/kafka-layout/terraform-provider-kafka/internal/testbed"
)

const address = "kafka_topic_config.test"

// configuration is one resource, at address, with a provider that uses the brokers.
func configuration(brokers []string, topic string, config map[string]string, lines ...string) string {
	return fmt.Sprintf("provider \"kafka\" {\n  bootstrap_servers = [%q]\n}\n", brokers[0]) + resourceBlock("test", topic, config, lines...)
}

// doing expects what the plan of a step does with the resource.
func doing(action plancheck.ResourceActionType) resource.ConfigPlanChecks {
	return resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{plancheck.ExpectResourceAction(address, action)}}
}

// Create, update in place, a change of the timeouts alone, drift, import: the topic and its records are the same ones throughout.
// Cases C-20, C-05, C-137, C-12.
func TestAccTopicConfig_lifecycle(t *testing.T) {
	cluster := testbed.Shared(t)
	admin := cluster.Admin(t)
	topic := cluster.UniqueTopic(t, 1, 3)
	produce(t, cluster, topic)
	original := identityOf(t, cluster, topic)
	recorder := testbed.Record(t, cluster)
	brokers := recorder.BootstrapServers()
	one, two := map[string]string{"retention.ms": "3600000"}, map[string]string{"retention.ms": "7200000", "segment.ms": "86400000"}
	sameTopic := statecheck.CompareValue(compare.ValuesSame())
	same := func() statecheck.StateCheck { return sameTopic.AddStateValue(address, tfjsonpath.New("topic")) }
	ends := func(with map[string]string) resource.TestCheckFunc {
		return func(*testingstate.State) error {
			expectConfigs(t, admin, topic, with)
			if now := identityOf(t, cluster, topic); now != original {
				return fmt.Errorf("the topic was %v and is %v", original, now)
			}
			return nil
		}
	}
	resource.ParallelTest(t, resource.TestCase{
		ProtoV6ProviderFactories: factories,
		Steps: []resource.TestStep{
			{
				Config:           configuration(brokers, topic, one),
				ConfigPlanChecks: doing(plancheck.ResourceActionCreate),
				ConfigStateChecks: []statecheck.StateCheck{
					same(),
					statecheck.ExpectKnownValue(address, tfjsonpath.New("config"), knownvalue.MapExact(map[string]knownvalue.Check{"retention.ms": knownvalue.StringExact("3600000")})),
					statecheck.ExpectKnownValue(address, tfjsonpath.New("on_destroy"), knownvalue.StringExact("reset")),
					statecheck.ExpectKnownValue(address, tfjsonpath.New("sensitive_keys"), knownvalue.SetSizeExact(0)),
				},
				Check: ends(one),
			},
			{
				Config:            configuration(brokers, topic, two),
				ConfigPlanChecks:  doing(plancheck.ResourceActionUpdate),
				ConfigStateChecks: []statecheck.StateCheck{same()},
				Check:             ends(two),
			},
			{
				PreConfig:        recorder.Reset,
				Config:           configuration(brokers, topic, two, "timeouts {\n    update = \"2m\"\n  }"),
				ConfigPlanChecks: doing(plancheck.ResourceActionUpdate),
				Check: func(state *testingstate.State) error {
					expectTraffic(t, recorder, 0, 0)
					return ends(two)(state)
				},
			},
			{
				PreConfig: func() {
					setConfigs(t, cluster, topic, map[string]string{"max.message.bytes": "2097152", "retention.ms": "1000"})
				},
				Config:            configuration(brokers, topic, two),
				ConfigPlanChecks:  doing(plancheck.ResourceActionUpdate),
				ConfigStateChecks: []statecheck.StateCheck{same()},
				Check:             ends(two),
			},
			{
				ResourceName:                         address,
				ImportState:                          true,
				ImportStateId:                        topic,
				ImportStateVerify:                    true,
				ImportStateVerifyIdentifierAttribute: "topic",
				ImportStateVerifyIgnore:              []string{"timeouts"},
			},
		},
		CheckDestroy: ends(map[string]string{}),
	})
}

// Acceptance line 9 and case C-118: a topic that was deleted outside is planned as a create, and its destroy is no error.
func TestAccTopicConfig_disappears(t *testing.T) {
	cluster := testbed.Shared(t)
	admin := cluster.Admin(t)
	topic := cluster.UniqueTopic(t, 1, 1)
	resource.ParallelTest(t, resource.TestCase{
		ProtoV6ProviderFactories: factories,
		Steps: []resource.TestStep{{
			Config: configuration(cluster.BootstrapServers(), topic, map[string]string{"retention.ms": "3600000"}),
			Check: func(*testingstate.State) error {
				_, err := admin.DeleteTopic(context.Background(), topic)
				return err
			},
			ExpectNonEmptyPlan: true,
			ConfigPlanChecks: resource.ConfigPlanChecks{PostApplyPostRefresh: []plancheck.PlanCheck{
				plancheck.ExpectResourceAction(address, plancheck.ResourceActionCreate),
			}},
		}},
	})
}

// The identity in state and an import by it, which Terraform knows from 1.12 on.
func TestAccTopicConfig_identity(t *testing.T) {
	cluster := testbed.Shared(t)
	topic := cluster.UniqueTopic(t, 1, 1)
	config := configuration(cluster.BootstrapServers(), topic, map[string]string{"retention.ms": "3600000"})
	resource.ParallelTest(t, resource.TestCase{
		ProtoV6ProviderFactories: factories,
		TerraformVersionChecks:   []tfversion.TerraformVersionCheck{tfversion.SkipBelow(tfversion.Version1_12_0)},
		Steps: []resource.TestStep{
			{
				Config: config,
				ConfigStateChecks: []statecheck.StateCheck{
					statecheck.ExpectIdentity(address, map[string]knownvalue.Check{"topic": knownvalue.StringExact(topic)}),
				},
			},
			{
				ResourceName:    address,
				ImportState:     true,
				ImportStateKind: resource.ImportBlockWithResourceIdentity,
			},
		},
	})
}

// produce writes one record to a topic.
func produce(t *testing.T, cluster *testbed.Cluster, topic string) {
	t.Helper()
	if err := cluster.Client(t).ProduceSync(t.Context(), &kgo.Record{Topic: topic, Value: []byte("kept")}).FirstErr(); err != nil {
		t.Fatalf("Write a record to topic %q: %v", topic, err)
	}
}

// topicIdentity tells one topic from a later one of the same name.
type topicIdentity struct {
	id         string
	start, end int64 // of the records of partition 0
}

func identityOf(t *testing.T, cluster *testbed.Cluster, topic string) topicIdentity {
	t.Helper()
	admin, ctx := cluster.Admin(t), context.Background()
	details, err := admin.ListTopics(ctx, topic)
	if err != nil {
		t.Fatal(err)
	}
	start, err := admin.ListStartOffsets(ctx, topic)
	if err != nil {
		t.Fatal(err)
	}
	end, err := admin.ListEndOffsets(ctx, topic)
	if err != nil {
		t.Fatal(err)
	}
	first, _ := start.Lookup(topic, 0)
	last, _ := end.Lookup(topic, 0)
	return topicIdentity{id: details[topic].ID.String(), start: first.Offset, end: last.Offset}
}
