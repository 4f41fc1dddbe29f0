// SPDX-License-Identifier: MPL-2.0

package kafkaapi

import (
	"fmt"
	"strings"
)

// permissionFor names the missing permission for a not-authorized code, in the words of Kafka's ACLs; empty for other codes.
func permissionFor(code int16, op string, e Entity) string {
	switch code {
	case codeTopicAuthorizationFailed, codeGroupAuthorizationFailed, codeClusterAuthorizationFailed:
	default:
		return ""
	}
	resource := aclResource(code, e)
	switch op {
	case opListConfigs:
		return "DESCRIBE_CONFIGS on " + resource
	case opAlterConfigs:
		return "ALTER_CONFIGS on " + resource
	case opCreatePartitions:
		return "ALTER on " + resource
	case opReassign, opElectLeaders:
		return "ALTER on Cluster"
	case opCreateTopics:
		// The broker takes either of the two.
		return fmt.Sprintf("CREATE on Topic %q or CREATE on Cluster", e.Name)
	default:
		return "DESCRIBE on " + resource
	}
}

// aclResource is the ACL resource that the code speaks of: broker configs and client metrics are guarded by the cluster.
func aclResource(code int16, e Entity) string {
	switch code {
	case codeTopicAuthorizationFailed:
		return fmt.Sprintf("Topic %q", e.Name)
	case codeGroupAuthorizationFailed:
		return fmt.Sprintf("Group %q", e.Name)
	default:
		return "Cluster"
	}
}

// presentable drops what is no message to anybody: for some refused requests controllers send a dump of the request object,
// hundreds of characters with the addresses of client and brokers in it.
func presentable(message string) string {
	if strings.Contains(message, "Request(processor=") {
		return ""
	}
	return message
}

// newError makes the typed error of one answer; keys are the config keys that were sent for the entity.
func newError(op string, e Entity, code int16, message string, keys []string) *Error {
	message = presentable(message)
	return &Error{
		Operation: op, Entity: e, Code: code, CodeName: codeName(code), Message: message,
		Key: keyNamed(message, keys), Permission: permissionFor(code, op, e),
	}
}
