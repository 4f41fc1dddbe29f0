// SPDX-License-Identifier: MPL-2.0

package kafkaapi

import "strings"

// The verbs as Error.Operation names them.
const (
	opListConfigs  = "ListConfigs"
	opAlterConfigs = "AlterConfigs"
	opCreateTopics = "CreateTopics"
	opMetadata     = "Metadata"

	opCreatePartitions  = "CreatePartitions"
	opReassign          = "AlterPartitionReassignments"
	opListReassignments = "ListPartitionReassignments"
	opElectLeaders      = "ElectLeaders"
	opDescribeLogDirs   = "DescribeLogDirs"
)

// sentinelOf maps a refusal to what callers decide on, nil where there is nothing to decide.
func sentinelOf(code int16, op string) error {
	switch code {
	case codeUnknownTopicOrPartition, codeUnknownTopicID:
		return ErrUnknownTopic
	case codeTopicAlreadyExists:
		return ErrTopicExists
	case codeInvalidConfig:
		return ErrInvalidConfig
	case codeInvalidRequest:
		// Brokers judge broker configs with 42 where topic configs get 40 (KAFKA-13609), and so did all of them before 3.3.
		if op == opAlterConfigs || op == opCreateTopics {
			return ErrInvalidConfig
		}
	case codeInvalidPartitions, codeInvalidReplicationFactor, codeInvalidReplicaAssignment:
		return ErrInvalidLayout
	case codeReassignmentInProgress:
		return ErrReassignmentInProgress
	case codeNoReassignmentInProgress:
		return ErrNoReassignment
	case codePreferredLeaderUnavailable:
		return ErrPreferredLeaderNotAvailable
	case codePolicyViolation:
		return ErrPolicyViolation
	case codeTopicAuthorizationFailed, codeGroupAuthorizationFailed, codeClusterAuthorizationFailed:
		return ErrNotAuthorized
	case codeUnsupportedVersion:
		return ErrUnsupported
	case codeBrokerNotAvailable, codeBrokerIDNotRegistered:
		return ErrBrokerUnavailable
	}
	return nil
}

// saysTopicIsAbsent finds the absent topic in an UNKNOWN_SERVER_ERROR: until 2.7 ZooKeeper brokers had no better code for it.
func saysTopicIsAbsent(e *Error) bool {
	return e.Code == codeUnknownServerError && e.Entity.Type == EntityTopic && strings.Contains(e.Message, "does not exist")
}
