// SPDX-License-Identifier: MPL-2.0

package kafkaapi

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Sentinels for errors.Is: what callers decide on. Every one of them may be wrapped in an *Error with Kafka's code and words.
var (
	// ErrUnknownTopic: the topic does not exist (UNKNOWN_TOPIC_OR_PARTITION, code 3). Never used for "not allowed to see".
	ErrUnknownTopic = errors.New("unknown topic")
	// ErrTopicExists: TOPIC_ALREADY_EXISTS (36).
	ErrTopicExists = errors.New("topic already exists")
	// ErrInvalidConfig: the broker refuses the configs themselves (INVALID_CONFIG 40, and INVALID_REQUEST 42 in an answer to an alteration).
	ErrInvalidConfig = errors.New("invalid config")
	// ErrPolicyViolation: the cluster's AlterConfigPolicy or CreateTopicPolicy refuses (POLICY_VIOLATION 44).
	ErrPolicyViolation = errors.New("policy violation")
	// ErrInvalidLayout: INVALID_PARTITIONS, INVALID_REPLICATION_FACTOR, INVALID_REPLICA_ASSIGNMENT (37, 38, 39).
	ErrInvalidLayout = errors.New("invalid layout")
	// ErrReassignmentInProgress: REASSIGNMENT_IN_PROGRESS (60), an answer of ZooKeeper brokers to CreatePartitions.
	ErrReassignmentInProgress = errors.New("reassignment in progress")
	// ErrNoReassignment: NO_REASSIGNMENT_IN_PROGRESS (85), the answer to a cancel where nothing moves.
	ErrNoReassignment = errors.New("no reassignment in progress")
	// ErrPreferredLeaderNotAvailable: PREFERRED_LEADER_NOT_AVAILABLE (80).
	ErrPreferredLeaderNotAvailable = errors.New("preferred leader not available")
	// ErrNotAuthorized: TOPIC_/GROUP_/CLUSTER_AUTHORIZATION_FAILED (29, 30, 31); Error.Permission names what is missing.
	ErrNotAuthorized = errors.New("not authorized")
	// ErrUnsupported: the cluster does not offer the request (ApiVersions, or UNSUPPORTED_VERSION 35).
	ErrUnsupported = errors.New("not supported by this cluster")
	// ErrBrokerUnavailable: a broker that alone can answer is not among the live ones, or does not answer; see BrokerError.
	ErrBrokerUnavailable = errors.New("broker not available")
	// ErrHiddenValues: see HiddenValuesError.
	ErrHiddenValues = errors.New("hidden values would be lost")
	// ErrWrongCluster: see WrongClusterError.
	ErrWrongCluster = errors.New("wrong cluster")
	// ErrConnect: no bootstrap address could be used; see ConnectError.
	ErrConnect = errors.New("cannot connect")
	// ErrAuthentication: the credentials are refused, by a broker or by who gives tokens for them; see AuthenticationError.
	ErrAuthentication = errors.New("authentication failed")
)

// Error is a refusal by a broker: Kafka's code, its name and the broker's own words.
type Error struct {
	// Operation is the request in the project's verbs: "ListConfigs", "AlterConfigs", "CreateTopics", "Metadata".
	Operation string
	Entity    Entity
	// Code is the wire code, CodeName Kafka's name of it ("INVALID_CONFIG"); an unnamed code is "ERROR_CODE_<n>".
	Code     int16
	CodeName string
	// Message is what the broker said, empty where it said nothing. It may quote config values: scrub before showing.
	Message string
	// Key is the config key that the message names, of those that were sent; empty where it names none.
	Key string
	// Permission is what is missing for a not-authorized code, in the words of Kafka's ACLs: `ALTER_CONFIGS on Topic "orders"`.
	Permission string
}

// Error gives the code name and the broker's words.
func (e *Error) Error() string {
	var b strings.Builder
	b.WriteString(e.CodeName)
	if message := strings.TrimSpace(e.Message); message != "" {
		b.WriteString(": ")
		b.WriteString(message)
	}
	if e.Permission != "" {
		b.WriteString(" (missing permission: " + e.Permission + ")")
	}
	return b.String()
}

// Is matches the sentinels above by code; an absent topic also by the words of brokers that have no code for it.
func (e *Error) Is(target error) bool {
	if target == ErrUnknownTopic && saysTopicIsAbsent(e) {
		return true
	}
	return target != nil && sentinelOf(e.Code, e.Operation) == target
}

// BrokerError says which broker could not be used for which request, and why. It matches ErrBrokerUnavailable.
type BrokerError struct {
	// Broker is the id, -1 for a bootstrap address; Address is host:port, empty where the broker is not registered as live.
	Broker  int32
	Address string
	// Request is Kafka's name of the request: "DescribeConfigs".
	Request string
	// Timeout is not 0 where the broker accepted the request and did not answer for so long.
	Timeout time.Duration
	// Live are the ids of the live brokers where Broker is not among them.
	Live []int32
	Err  error
}

func (e *BrokerError) Error() string {
	who := "broker at " + e.Address
	if e.Broker >= 0 {
		who = fmt.Sprintf("broker %d", e.Broker)
		if e.Address != "" {
			who += " at " + e.Address
		}
	}
	switch {
	case e.Timeout > 0:
		return fmt.Sprintf("%s did not answer %s within %s", who, e.Request, e.Timeout)
	case e.Err != nil:
		return fmt.Sprintf("%s: %s: %v", who, e.Request, e.Err)
	default:
		return who + " is not among the live brokers of the cluster" + e.live()
	}
}

// NotLive tells whether the broker was not asked, as the cluster does not count it among the live ones.
func (e *BrokerError) NotLive() bool { return e.Timeout == 0 && e.Err == nil }

// live lists the brokers that there are, for whoever named one that is not.
func (e *BrokerError) live() string {
	if len(e.Live) == 0 {
		return ""
	}
	ids := make([]string, 0, len(e.Live))
	for _, id := range e.Live {
		ids = append(ids, strconv.Itoa(int(id)))
	}
	return ", which are " + strings.Join(ids, ", ")
}

// Unwrap gives the transport's error.
func (e *BrokerError) Unwrap() error { return e.Err }

// Is matches ErrBrokerUnavailable.
func (e *BrokerError) Is(target error) bool { return target == ErrBrokerUnavailable }

// ConnectError says of each bootstrap address what was found there. It matches ErrConnect.
type ConnectError struct {
	// Attempts hold one sentence for each address that was tried, each naming the address.
	Attempts []string
	// blamed is what every attempt blames, see Blamed.
	blamed string
}

func (e *ConnectError) Error() string {
	return "cannot connect to the Kafka cluster: " + strings.Join(e.Attempts, "; ")
}

// Is matches ErrConnect.
func (e *ConnectError) Is(target error) bool { return target == ErrConnect }

// WrongClusterError says that the cluster at the bootstrap addresses is not the one that Options.ClusterID names. It matches ErrWrongCluster.
type WrongClusterError struct{ Want, Got string }

func (e *WrongClusterError) Error() string {
	return fmt.Sprintf("the bootstrap servers belong to cluster %q, not to cluster %q", e.Got, e.Want)
}

// Is matches ErrWrongCluster.
func (e *WrongClusterError) Is(target error) bool { return target == ErrWrongCluster }

// HiddenValuesError says that the cluster takes only complete sets (no IncrementalAlterConfigs), and the values of these keys of the
// entity are neither known to the caller nor shown by the brokers. Nothing was written. It matches ErrHiddenValues.
type HiddenValuesError struct {
	Entity Entity
	Keys   []string
}

func (e *HiddenValuesError) Error() string {
	return fmt.Sprintf("the cluster offers no IncrementalAlterConfigs, and a complete set for %s would lose the hidden values of %s",
		e.Entity, strings.Join(e.Keys, ", "))
}

// Is matches ErrHiddenValues.
func (e *HiddenValuesError) Is(target error) bool { return target == ErrHiddenValues }
