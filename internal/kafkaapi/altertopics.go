// SPDX-License-Identifier: MPL-2.0

package kafkaapi

import "context"

// AlterTopics changes partition counts (CreatePartitions 37, KIP-195) and then replica lists (AlterPartitionReassignments 45,
// KIP-455), many topics in one call, with an error per topic and per partition. Topics must be distinct.
//
// Adding partitions is done when nil is answered; a reassignment has only been started. With validateOnly the brokers check the
// partition counts and nothing is changed; reassignments have no such check in Kafka and are not sent. Without the requests in
// question the errors are ErrUnsupported.
func (c *Client) AlterTopics(ctx context.Context, alterations []TopicAlteration, validateOnly bool) []TopicResult {
	results := make([]TopicResult, len(alterations))
	counts := map[string]TopicAlteration{}
	moves := map[string]map[int32][]int32{}
	for i, a := range alterations {
		c.layoutsAhead.forget(a.Topic)
		results[i].Topic = a.Topic
		if a.Partitions > 0 {
			counts[a.Topic] = a
		}
	}
	refused := c.createPartitions(ctx, counts, validateOnly)
	for i, a := range alterations {
		results[i].Err = refused[a.Topic]
		if results[i].Err == nil && !validateOnly && len(a.Reassign) > 0 {
			moves[a.Topic] = a.Reassign
		}
	}
	notStarted := c.reassign(ctx, moves)
	for i, a := range alterations {
		results[i].Refused = notStarted[a.Topic]
	}
	return results
}
