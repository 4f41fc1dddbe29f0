// SPDX-License-Identifier: MPL-2.0

package kafkaapi

import (
	"context"
	"time"

	"github.com/IBM/sarama"
)

// FeatureEligibleLeaderReplicas is the feature under which Kafka itself holds a cluster-wide min.insync.replicas (KIP-966).
const FeatureEligibleLeaderReplicas = "eligible.leader.replicas.version"

// Features gives the finalized features of the cluster with their levels (ApiVersions v3, KIP-584, Kafka 2.7). It is empty for
// older clusters and for those that tell none.
func (c *Client) Features(ctx context.Context) (map[string]int16, error) {
	ctx, end, err := c.begin(ctx)
	if err != nil {
		return nil, err
	}
	defer end()
	answer, _, err := ask(ctx, c, question[*sarama.ApiVersionsResponse]{
		name: "ApiVersions",
		send: func(b *sarama.Broker) (*sarama.ApiVersionsResponse, error) {
			return b.ApiVersions(&sarama.ApiVersionsRequest{
				Version: 3, ClientSoftwareName: defaultClientID, ClientSoftwareVersion: "0",
			})
		},
		throttle: func(r *sarama.ApiVersionsResponse) time.Duration {
			return time.Duration(r.ThrottleTimeMs) * time.Millisecond
		},
	})
	if err != nil {
		return nil, err
	}
	return featuresOf(answer), nil
}

func featuresOf(answer *sarama.ApiVersionsResponse) map[string]int16 {
	levels := make(map[string]int16, len(answer.FinalizedFeatures))
	for _, f := range answer.FinalizedFeatures {
		levels[f.Name] = f.MaxVersionLevel
	}
	return levels
}
