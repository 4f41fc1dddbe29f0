// SPDX-License-Identifier: MPL-2.0

package kafkaapi

import (
	"context"
	"fmt"
	"math"
	"time"

	"github.com/IBM/sarama"
)

// aclAlter is the bit of ALTER in a set of authorized operations (org.apache.kafka.common.acl.AclOperation).
const aclAlter = 1 << 7

// MayAlterCluster tells whether the principal may move replicas and elect leaders: ALTER on Cluster (KIP-430). ErrUnsupported where
// the cluster does not say, as before Kafka 2.8 and for principals without DESCRIBE on Cluster. Calls that come side by side share a
// request.
func (c *Client) MayAlterCluster(ctx context.Context) (bool, error) {
	ctx, end, err := c.begin(ctx)
	if err != nil {
		return false, err
	}
	defer end()
	answer, err := c.lanes.mayAlter.do(ctx, struct{}{})
	if err != nil {
		return false, waitingFor(target{}, "DescribeCluster", err)
	}
	return answer.value, answer.err
}

func (c *Client) mayAlterCluster(ctx context.Context) (bool, error) {
	answer, _, err := ask(ctx, c, question[*sarama.DescribeClusterResponse]{
		name: "DescribeCluster",
		send: func(b *sarama.Broker) (*sarama.DescribeClusterResponse, error) {
			request := sarama.NewDescribeClusterRequest(sarama.MaxVersion)
			request.IncludeClusterAuthorizedOperations = true
			return b.DescribeCluster(request)
		},
		throttle: func(r *sarama.DescribeClusterResponse) time.Duration {
			return time.Duration(r.ThrottleTimeMs) * time.Millisecond
		},
	})
	switch {
	case err != nil:
		return false, err
	case answer.Err != sarama.ErrNoError:
		return false, newError(opMetadata, Entity{}, int16(answer.Err), "", nil)
	case answer.ClusterAuthorizedOperations == math.MinInt32:
		return false, fmt.Errorf("authorized operations: %w", ErrUnsupported)
	}
	return answer.ClusterAuthorizedOperations&aclAlter != 0, nil
}
