// SPDX-License-Identifier: MPL-2.0

package compat

import (
	"context"
	"errors"
	"fmt"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"

	"github.com/kafka-layout/terraform-provider-kafka/internal/testbed"
)

// countsOf are the partition count and the replication factor of a CreateTopics request for one topic.
func countsOf(b *bench, request testbed.Request) (partitions int32, replicas int16) {
	b.Helper()
	body, ok := request.Body.(*kmsg.CreateTopicsRequest)
	if !ok || len(body.Topics) != 1 {
		b.Fatalf("Not a CreateTopics for one topic: %s", request)
	}
	return body.Topics[0].NumPartitions, body.Topics[0].ReplicationFactor
}

// deleteTopic deletes a topic and returns when no broker shows it. Before Kafka 2.0 and still in 2.2 the configs of a topic that is
// not there are described as empty, so Metadata is asked.
func (b *bench) deleteTopic(name string) {
	b.Helper()
	if _, err := b.cluster.Admin(b).DeleteTopic(b.Context(), name); err != nil {
		b.Fatal(err)
	}
	b.cluster.EachBroker(b, "that the topic is gone", func(ctx context.Context, broker *kgo.Broker) error {
		request := kmsg.NewPtrMetadataRequest()
		request.Topics = []kmsg.MetadataRequestTopic{{Topic: kmsg.StringPtr(name)}}
		response, err := broker.Request(ctx, request)
		if err != nil {
			return err
		}
		if err := kerr.ErrorForCode(response.(*kmsg.MetadataResponse).Topics[0].ErrorCode); !errors.Is(err, kerr.UnknownTopicOrPartition) {
			return fmt.Errorf("it still shows it (%w)", err)
		}
		return nil
	})
}

// stop stops a broker and returns when the others know.
func (b *bench) stop(id int) {
	b.Helper()
	if err := errors.Join(b.cluster.Stop(b.Context(), id), b.cluster.WaitBrokers(b.Context())); err != nil {
		b.Fatal(err)
	}
}

// restart starts a broker again, also at the end of a test.
func (b *bench) restart(id int) {
	b.Helper()
	if err := b.cluster.Restart(context.Background(), id); err != nil { //nolint:usetesting // see above
		b.Error(err)
	}
}

// unregister takes a stopped broker out of the cluster and returns when no broker lists it.
func (b *bench) unregister(id int) {
	b.Helper()
	request := kmsg.NewPtrUnregisterBrokerRequest()
	request.BrokerID = int32(id)
	response, err := b.client.Broker(1).Request(b.Context(), request)
	if err != nil {
		b.Fatal(err)
	}
	if answer := response.(*kmsg.UnregisterBrokerResponse); answer.ErrorCode != 0 {
		b.Fatal(refused(answer.ErrorCode, answer.ErrorMessage))
	}
	b.cluster.EachBroker(b, "that the broker is gone", func(ctx context.Context, broker *kgo.Broker) error {
		request := kmsg.NewPtrDescribeClusterRequest()
		request.IncludeFencedBrokers = true
		response, err := broker.Request(ctx, request)
		if err != nil {
			return err
		}
		for _, listed := range response.(*kmsg.DescribeClusterResponse).Brokers {
			if int(listed.NodeID) == id {
				return errors.New("it still lists it")
			}
		}
		return nil
	})
}
