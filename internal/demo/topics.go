// SPDX-License-Identifier: MPL-2.0

package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"
)

const (
	// spreadTimeout bounds how long a change made by hand takes to reach every broker.
	spreadTimeout = 30 * time.Second
	spreadPause   = 50 * time.Millisecond
)

// configs are the configs that topics have of their own, keyed by topic.
type configs map[string]map[string]string

// outsider changes and reads topics with a client that is not the provider's.
type outsider struct {
	servers []string
	client  *kgo.Client
	admin   *kadm.Client
}

func newOutsider(servers []string) (*outsider, error) {
	client, err := kgo.NewClient(kgo.SeedBrokers(servers...))
	if err != nil {
		return nil, err
	}
	return &outsider{servers: servers, client: client, admin: kadm.NewClient(client)}, nil
}

func (o *outsider) close() { o.client.Close() }

// create makes topics with the configs they begin with, three replicas each, and returns when every broker shows them.
func (o *outsider) create(ctx context.Context, topics configs) error {
	for _, topic := range slices.Sorted(maps.Keys(topics)) {
		values := map[string]*string{}
		for key, value := range topics[topic] {
			values[key] = &value
		}
		if _, err := o.admin.CreateTopic(ctx, 3, 3, values, topic); err != nil {
			return fmt.Errorf("create topic %s: %w", topic, err)
		}
	}
	return o.awaitShown(ctx, topics)
}

// set sets one config of a topic.
func (o *outsider) set(ctx context.Context, topic, key, value string) error {
	return alterError(o.admin.AlterTopicConfigs(ctx, []kadm.AlterConfig{{Op: kadm.SetConfig, Name: key, Value: &value}}, topic))
}

// refusal asks the brokers, without writing, what they say to a config; empty where they would take it.
func (o *outsider) refusal(ctx context.Context, topic, key, value string) (string, error) {
	answers, err := o.admin.ValidateAlterTopicConfigs(ctx, []kadm.AlterConfig{{Op: kadm.SetConfig, Name: key, Value: &value}}, topic)
	if err != nil {
		return "", err
	}
	answer, err := answers.On(topic, nil)
	if err != nil {
		return "", err
	}
	return answer.ErrMessage, nil
}

func alterError(answers kadm.AlterConfigsResponses, err error) error {
	if err != nil {
		return err
	}
	for _, answer := range answers {
		if answer.Err != nil {
			return fmt.Errorf("alter topic %s: %w: %s", answer.Name, answer.Err, answer.ErrMessage)
		}
	}
	return nil
}

// shown reports where a broker shows other own configs than these; each broker is asked itself, once.
func (o *outsider) shown(ctx context.Context, want configs) error {
	for _, server := range o.servers {
		got, err := ownConfigs(ctx, server, slices.Sorted(maps.Keys(want)))
		if err != nil {
			return fmt.Errorf("ask the broker at %s: %w", server, err)
		}
		for _, topic := range slices.Sorted(maps.Keys(want)) {
			if !maps.Equal(got[topic], want[topic]) {
				return fmt.Errorf("the broker at %s shows topic %s with {%s}, expected is {%s}", server, topic, listing(got[topic]), listing(want[topic]))
			}
		}
	}
	return nil
}

// awaitShown waits until every broker shows exactly these own configs.
func (o *outsider) awaitShown(ctx context.Context, want configs) error {
	ctx, cancel := context.WithTimeout(ctx, spreadTimeout)
	defer cancel()
	for {
		err := o.shown(ctx, want)
		if err == nil {
			return nil
		}
		select {
		case <-ctx.Done():
			return err
		case <-time.After(spreadPause):
		}
	}
}

// ownConfigs asks one broker which configs the topics have of their own, other than inheriting them.
func ownConfigs(ctx context.Context, server string, topics []string) (configs, error) {
	client, err := kgo.NewClient(kgo.SeedBrokers(server))
	if err != nil {
		return nil, err
	}
	defer client.Close()
	request := kmsg.NewPtrDescribeConfigsRequest()
	for _, topic := range topics {
		resource := kmsg.NewDescribeConfigsRequestResource()
		resource.ResourceType, resource.ResourceName = kmsg.ConfigResourceTypeTopic, topic
		request.Resources = append(request.Resources, resource)
	}
	answer, err := client.SeedBrokers()[0].Request(ctx, request)
	if err != nil {
		return nil, err
	}
	response, ok := answer.(*kmsg.DescribeConfigsResponse)
	if !ok {
		return nil, errors.New("the broker answered another request")
	}
	found := configs{}
	for _, resource := range response.Resources {
		if err := kerr.ErrorForCode(resource.ErrorCode); err != nil {
			return nil, fmt.Errorf("topic %s: %w", resource.ResourceName, err)
		}
		found[resource.ResourceName] = map[string]string{}
		for _, config := range resource.Configs {
			if config.Source == kmsg.ConfigSourceDynamicTopicConfig && config.Value != nil {
				found[resource.ResourceName][config.Name] = *config.Value
			}
		}
	}
	return found, nil
}

// listing is a set of configs in one line.
func listing(set map[string]string) string {
	var items []string
	for _, key := range slices.Sorted(maps.Keys(set)) {
		items = append(items, key+" = "+set[key])
	}
	return strings.Join(items, ", ")
}
