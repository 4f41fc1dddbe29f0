// SPDX-License-Identifier: MPL-2.0

package testbed

import "github.com/twmb/franz-go/pkg/kmsg"

// effect is what a request asks a broker to do to the cluster.
type effect int

const (
	read effect = iota
	validation
	write
)

// effectOf tells a request's effect. A request that is not known to be a read or a validation is a write, so that a count of no
// writes can be believed.
func effectOf(request kmsg.Request) effect {
	switch q := request.(type) {
	case *kmsg.AlterConfigsRequest:
		return unless(q.ValidateOnly)
	case *kmsg.IncrementalAlterConfigsRequest:
		return unless(q.ValidateOnly)
	case *kmsg.CreateTopicsRequest:
		return unless(q.ValidateOnly)
	case *kmsg.CreatePartitionsRequest:
		return unless(q.ValidateOnly)
	case *kmsg.AlterClientQuotasRequest:
		return unless(q.ValidateOnly)
	case *kmsg.UpdateFeaturesRequest:
		return unless(q.ValidateOnly)
	case *kmsg.MetadataRequest:
		// A broker creates a topic that is asked for and absent, if it is allowed to; before version 4 it always is.
		if len(q.Topics) > 0 && (q.AllowAutoTopicCreation || q.Version < 4) {
			return write
		}
		return read
	}
	if reads[request.Key()] {
		return read
	}
	return write
}

func unless(validateOnly bool) effect {
	if validateOnly {
		return validation
	}
	return write
}

// reads are the API keys of requests that change nothing.
var reads = map[int16]bool{
	int16(kmsg.Fetch):                        true,
	int16(kmsg.ListOffsets):                  true,
	int16(kmsg.OffsetFetch):                  true,
	int16(kmsg.FindCoordinator):              true,
	int16(kmsg.DescribeGroups):               true,
	int16(kmsg.ListGroups):                   true,
	int16(kmsg.SASLHandshake):                true,
	int16(kmsg.ApiVersions):                  true,
	int16(kmsg.OffsetForLeaderEpoch):         true,
	int16(kmsg.DescribeACLs):                 true,
	int16(kmsg.DescribeConfigs):              true,
	int16(kmsg.DescribeLogDirs):              true,
	int16(kmsg.SASLAuthenticate):             true,
	int16(kmsg.DescribeDelegationToken):      true,
	int16(kmsg.ListPartitionReassignments):   true,
	int16(kmsg.DescribeClientQuotas):         true,
	int16(kmsg.DescribeUserSCRAMCredentials): true,
	int16(kmsg.DescribeQuorum):               true,
	int16(kmsg.DescribeCluster):              true,
	int16(kmsg.DescribeProducers):            true,
	int16(kmsg.DescribeTransactions):         true,
	int16(kmsg.ListTransactions):             true,
	int16(kmsg.ConsumerGroupDescribe):        true,
	int16(kmsg.GetTelemetrySubscriptions):    true,
	int16(kmsg.ListConfigResources):          true,
	int16(kmsg.DescribeTopicPartitions):      true,
}
