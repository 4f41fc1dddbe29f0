// SPDX-License-Identifier: MPL-2.0

package kafkaapi

import (
	"encoding/binary"
	"errors"
	"io"
	"math/rand/v2"
	"net"
	"sync/atomic"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kmsg"
)

// rawBroker answers requests with bytes that a test chooses: body gives what follows an answer's header.
func rawBroker(t *testing.T, body func(key, version int16) []byte) string {
	t.Helper()
	return serve(t, nil, func(conn net.Conn) {
		for {
			head := make([]byte, 4)
			if _, err := io.ReadFull(conn, head); err != nil {
				return
			}
			request := make([]byte, binary.BigEndian.Uint32(head))
			if _, err := io.ReadFull(conn, request); err != nil {
				return
			}
			key, version := int16(binary.BigEndian.Uint16(request)), int16(binary.BigEndian.Uint16(request[2:]))
			answer := append([]byte{0, 0, 0, 0}, request[4:8]...)
			if k := kmsg.RequestForKey(key); key != int16(kmsg.ApiVersions) && k != nil {
				if k.SetVersion(version); k.IsFlexible() {
					answer = append(answer, 0)
				}
			}
			answer = append(answer, body(key, version)...)
			binary.BigEndian.PutUint32(answer, uint32(len(answer)-4))
			if _, err := conn.Write(answer); err != nil {
				return
			}
		}
	})
}

// bytesOf encodes an answer in a version.
func bytesOf(r kmsg.Response, version int16) []byte {
	r.SetVersion(version)
	return r.AppendTo(nil)
}

// offered is an answer of ApiVersions with the requests that are used here.
func offered(version int16) []byte {
	answer := kmsg.NewPtrApiVersionsResponse()
	for key, highest := range map[kmsg.Key]int16{kmsg.Metadata: 11, kmsg.ApiVersions: 4, kmsg.CreateTopics: 7, kmsg.DescribeConfigs: 4,
		kmsg.AlterConfigs: 2, kmsg.IncrementalAlterConfigs: 1, kmsg.DescribeCluster: 1} {
		k := kmsg.NewApiVersionsResponseApiKey()
		k.ApiKey, k.MaxVersion = int16(key), highest
		answer.ApiKeys = append(answer.ApiKeys, k)
	}
	return bytesOf(answer, version)
}

// wellFormed is a valid answer to each request, which tests then damage.
func wellFormed(key, version int16, port int32) []byte {
	switch kmsg.Key(key) {
	case kmsg.ApiVersions:
		return offered(version)
	case kmsg.DescribeCluster:
		answer := kmsg.NewPtrDescribeClusterResponse()
		b := kmsg.NewDescribeClusterResponseBroker()
		b.NodeID, b.Host, b.Port = 1, "127.0.0.1", port
		answer.ClusterID, answer.Brokers = "fake", append(answer.Brokers, b)
		return bytesOf(answer, version)
	case kmsg.Metadata:
		answer := kmsg.NewPtrMetadataResponse()
		topic := kmsg.NewMetadataResponseTopic()
		topic.Topic = kmsg.StringPtr("orders")
		partition := kmsg.NewMetadataResponseTopicPartition()
		partition.Replicas, partition.ISR = []int32{1, 2}, []int32{1}
		topic.Partitions = append(topic.Partitions, partition)
		answer.Topics = append(answer.Topics, topic)
		return bytesOf(answer, version)
	case kmsg.DescribeConfigs:
		answer := kmsg.NewPtrDescribeConfigsResponse()
		r := kmsg.NewDescribeConfigsResponseResource()
		r.ResourceType, r.ResourceName = kmsg.ConfigResourceTypeTopic, "orders"
		c := kmsg.NewDescribeConfigsResponseResourceConfig()
		c.Name, c.Value, c.Source = "retention.ms", kmsg.StringPtr("1"), kmsg.ConfigSourceDynamicTopicConfig
		r.Configs = append(r.Configs, c)
		answer.Resources = append(answer.Resources, r)
		return bytesOf(answer, version)
	case kmsg.IncrementalAlterConfigs:
		answer := kmsg.NewPtrIncrementalAlterConfigsResponse()
		r := kmsg.NewIncrementalAlterConfigsResponseResource()
		r.ResourceType, r.ResourceName, r.ErrorCode, r.ErrorMessage = kmsg.ConfigResourceTypeTopic, "orders", 40, kmsg.StringPtr("no")
		answer.Resources = append(answer.Resources, r)
		return bytesOf(answer, version)
	default:
		answer := kmsg.NewPtrCreateTopicsResponse()
		topic := kmsg.NewCreateTopicsResponseTopic()
		topic.Topic, topic.ErrorCode = "orders", 36
		answer.Topics = append(answer.Topics, topic)
		return bytesOf(answer, version)
	}
}

func TestDamagedAnswersAreErrors(t *testing.T) {
	// C-121: cut off at each byte, and with bytes changed, an answer ends in a result or an error, never in a panic or a hang.
	var damage atomic.Pointer[func(key int16, whole []byte) []byte]
	var port atomic.Int32
	address := rawBroker(t, func(key, version int16) []byte {
		whole := wellFormed(key, version, port.Load())
		if d := damage.Load(); d != nil && key != int16(kmsg.ApiVersions) && key != keyDescribeCluster {
			return (*d)(key, whole)
		}
		return whole
	})
	_, p, _ := net.SplitHostPort(address)
	port.Store(int32(mustInt(t, p)))
	client := newTestClient(t, Options{BootstrapServers: []string{address}, RequestTimeout: 2 * time.Second})
	ctx := testContext(t)
	calls := map[int16]func() error{
		keyDescribeConfigs: func() error {
			return client.ListConfigs(ctx, []Entity{Topic("orders")}, ListConfigsOptions{})[0].Err
		},
		keyIncremental: func() error {
			return alterOne(ctx, client, Alteration{Entity: Topic("orders"), Set: map[string]string{"k": "v"}}, true)
		},
		keyMetadata:     func() error { return client.DescribeTopics(ctx, []string{"orders"})[0].Err },
		keyCreateTopics: func() error { return client.CreateTopics(ctx, []NewTopic{{Name: "orders"}}, true)[0] },
	}
	for key, call := range calls {
		t.Run(kmsg.NameForKey(key), func(t *testing.T) {
			damage.Store(nil)
			if err := call(); errors.Is(err, ErrBrokerUnavailable) {
				t.Fatalf("the undamaged answer gives %v", err)
			}
			whole := wellFormed(key, kmsg.RequestForKey(key).MaxVersion(), 0)
			for cut := range len(whole) - 1 {
				f := func(_ int16, whole []byte) []byte { return whole[:min(cut+1, len(whole)-1)] }
				damage.Store(&f)
				if err := call(); !errors.Is(err, ErrBrokerUnavailable) || ctx.Err() != nil {
					t.Errorf("cut off after %d bytes it gives %v", cut+1, err)
				}
			}
			random := rand.New(rand.NewPCG(1, uint64(key)))
			for range 100 {
				// The first four bytes are the throttle time, which would be honoured.
				at, value := random.IntN(len(whole)), byte(random.IntN(256))
				f := func(_ int16, whole []byte) []byte {
					whole[4+at%(len(whole)-4)] = value
					return whole
				}
				damage.Store(&f)
				if err := call(); err != nil && err.Error() == "" {
					t.Error("an error without words")
				}
			}
		})
	}
}
