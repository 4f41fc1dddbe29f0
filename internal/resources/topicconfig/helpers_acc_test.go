// SPDX-License-Identifier: MPL-2.0

package topicconfig_test

import (
	"context"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"

	"github.com/kafka-layout/terraform-provider-kafka/internal/provider"
	"github.com/kafka-layout/terraform-provider-kafka/internal/testbed"
)

// factories run the provider in the test's own process.
var factories = map[string]func() (tfprotov6.ProviderServer, error){
	"kafka": func() (tfprotov6.ProviderServer, error) { return provider.NewServer("test")(), nil },
}

// createTopicVariable names a topic for the test binary to create and end, instead of running tests: it is then the small Kafka
// client that a provisioner calls. Beside it stands the variable with the brokers' addresses.
const (
	createTopicVariable = "TOPICCONFIG_TEST_CREATE"
	atBrokersVariable   = "TOPICCONFIG_TEST_BROKERS"
)

func init() {
	name := os.Getenv(createTopicVariable)
	if name == "" {
		return
	}
	client, err := kgo.NewClient(kgo.SeedBrokers(strings.Split(os.Getenv(atBrokersVariable), ",")...))
	if err == nil {
		_, err = kadm.NewClient(client).CreateTopic(context.Background(), 1, 1, nil, name)
		client.Close()
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(0)
}

// resourceBlock is a kafka_topic_config with a config and further lines of HCL.
func resourceBlock(label, topic string, config map[string]string, lines ...string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "resource \"kafka_topic_config\" %q {\n  topic = %q\n  config = {\n", label, topic)
	for _, key := range slices.Sorted(maps.Keys(config)) {
		fmt.Fprintf(&b, "    %q = %q\n", key, config[key])
	}
	b.WriteString("  }\n")
	for _, line := range lines {
		b.WriteString("  " + line + "\n")
	}
	b.WriteString("}\n")
	return b.String()
}

// dynamicConfigs are the configs of a topic's own, read by a client that is not the provider's.
func dynamicConfigs(t testing.TB, admin *kadm.Client, topic string) map[string]string {
	t.Helper()
	own := map[string]string{}
	for _, config := range describe(t, admin, topic) {
		if config.Source == kmsg.ConfigSourceDynamicTopicConfig {
			own[config.Key] = config.MaybeValue()
		}
	}
	return own
}

// configInForce is the value that a topic has for a key, its own or inherited.
func configInForce(t testing.TB, admin *kadm.Client, topic, key string) string {
	t.Helper()
	for _, config := range describe(t, admin, topic) {
		if config.Key == key {
			return config.MaybeValue()
		}
	}
	t.Fatalf("Topic %q has no config %q", topic, key)
	return ""
}

func describe(t testing.TB, admin *kadm.Client, topic string) []kadm.Config {
	t.Helper()
	described, err := admin.DescribeTopicConfigs(context.Background(), topic)
	if err == nil {
		err = described[0].Err
	}
	if err != nil {
		t.Fatalf("Read the configs of topic %q: %v", topic, err)
	}
	return described[0].Configs
}

// expectConfigs fails the test unless the topic's own configs are exactly these.
func expectConfigs(t testing.TB, admin *kadm.Client, topic string, want map[string]string) {
	t.Helper()
	if got := dynamicConfigs(t, admin, topic); !maps.Equal(got, want) {
		t.Fatalf("The own configs of topic %q are %v, expected %v", topic, got, want)
	}
}

// setConfigs sets configs of a topic behind Terraform's back, and returns once every broker shows them.
func setConfigs(t testing.TB, cluster *testbed.Cluster, topic string, configs map[string]string) {
	t.Helper()
	admin := cluster.Admin(t)
	var alter []kadm.AlterConfig
	for key, value := range configs {
		alter = append(alter, kadm.AlterConfig{Op: kadm.SetConfig, Name: key, Value: &value})
	}
	answers, err := admin.AlterTopicConfigs(context.Background(), alter, topic)
	if err == nil {
		err = answers[0].Err
	}
	if err != nil {
		t.Fatalf("Set %v of topic %q: %v", configs, topic, err)
	}
	cluster.EachBroker(t, fmt.Sprintf("%v on topic %q", configs, topic), func(ctx context.Context, broker *kgo.Broker) error {
		request := kmsg.NewPtrDescribeConfigsRequest()
		request.Resources = []kmsg.DescribeConfigsRequestResource{{ResourceType: kmsg.ConfigResourceTypeTopic, ResourceName: topic}}
		response, err := broker.Request(ctx, request)
		if err != nil {
			return err
		}
		return shows(response.(*kmsg.DescribeConfigsResponse), configs)
	})
}

func shows(response *kmsg.DescribeConfigsResponse, configs map[string]string) error {
	for _, config := range response.Resources[0].Configs {
		if want, ok := configs[config.Name]; ok && (config.Value == nil || *config.Value != want) {
			return fmt.Errorf("%s is not %q yet", config.Name, want)
		}
	}
	return nil
}

// expectTraffic fails the test unless the recorder saw so many writes and validations.
func expectTraffic(t testing.TB, recorder *testbed.Recorder, writes, validations int) {
	t.Helper()
	if w, v := len(recorder.Writes()), len(recorder.Validations()); w != writes || v != validations {
		t.Fatalf("%d writes and %d validations reached the brokers, expected %d and %d:\n%s", w, v, writes, validations, recorder)
	}
}
