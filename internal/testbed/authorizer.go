// SPDX-License-Identifier: MPL-2.0

package testbed

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"
)

// anonymous is the user that brokers, controllers and clients without authentication are to Kafka.
const anonymous = "User:ANONYMOUS"

// authorize has every node ask Kafka's own authorizer. Plain text clients, as which nodes and the test bed's own clients connect, may
// do everything; who logs in through a SASL or TLS listener may do what ACLs allow.
func authorize(env map[string]string) {
	env["KAFKA_AUTHORIZER_CLASS_NAME"] = "org.apache.kafka.metadata.authorizer.StandardAuthorizer"
	env["KAFKA_SUPER_USERS"] = anonymous
}

// acl reads an ACL in Kafka's words: an operation on a resource.
var acl = regexp.MustCompile(`^([A-Z_]+) on (?:Topic "([^"]+)"|(Cluster))$`)

// clusterName is the name of the one resource of type cluster.
const clusterName = "kafka-cluster"

// Grant allows a user what the ACLs say, each an operation on one topic or on the cluster, for example
//
//	c.Grant(t, "alice", `ALTER_CONFIGS on Topic "orders"`, `DESCRIBE on Cluster`)
//
// and returns when every broker knows. The cluster needs Options.Authorizer.
func (c *Cluster) Grant(t testing.TB, user string, acls ...string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), visibleTimeout)
	defer cancel()
	request := kmsg.NewPtrCreateACLsRequest()
	for _, text := range acls {
		request.Creations = append(request.Creations, creation(t, user, text))
	}
	response, err := request.RequestWith(ctx, c.Client(t))
	if err != nil {
		t.Fatalf("Grant %v to %s: %v", acls, user, err)
	}
	for i, result := range response.Results {
		if err := kerr.ErrorForCode(result.ErrorCode); err != nil {
			t.Fatalf("Grant %s to %s: %v", acls[i], user, err)
		}
	}
	c.waitGranted(t, user, acls, true)
}

// Revoke takes ACLs back that [Cluster.Grant] gave, and returns when every broker knows.
func (c *Cluster) Revoke(t testing.TB, user string, acls ...string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), visibleTimeout)
	defer cancel()
	request := kmsg.NewPtrDeleteACLsRequest()
	for _, text := range acls {
		filter, one := kmsg.NewDeleteACLsRequestFilter(), creation(t, user, text)
		filter.ResourceType, filter.ResourceName, filter.ResourcePatternType = one.ResourceType, &one.ResourceName, one.ResourcePatternType
		filter.Principal, filter.Host, filter.Operation, filter.PermissionType = &one.Principal, &one.Host, one.Operation, one.PermissionType
		request.Filters = append(request.Filters, filter)
	}
	response, err := request.RequestWith(ctx, c.Client(t))
	if err != nil {
		t.Fatalf("Revoke %v of %s: %v", acls, user, err)
	}
	for i, result := range response.Results {
		if err := kerr.ErrorForCode(result.ErrorCode); err != nil || len(result.MatchingACLs) != 1 {
			t.Fatalf("Revoke %s of %s: %v, %d ACLs match", acls[i], user, err, len(result.MatchingACLs))
		}
	}
	c.waitGranted(t, user, acls, false)
}

func creation(t testing.TB, user, text string) kmsg.CreateACLsRequestCreation {
	t.Helper()
	match := acl.FindStringSubmatch(text)
	if match == nil {
		t.Fatalf("%q is no ACL such as %q or %q", text, `ALTER_CONFIGS on Topic "orders"`, "DESCRIBE on Cluster")
	}
	one := kmsg.NewCreateACLsRequestCreation()
	operation, err := kmsg.ParseACLOperation(match[1])
	if err != nil {
		t.Fatalf("%q: %v", text, err)
	}
	one.Operation, one.PermissionType, one.ResourcePatternType = operation, kmsg.ACLPermissionTypeAllow, kmsg.ACLResourcePatternTypeLiteral
	one.ResourceType, one.ResourceName = kmsg.ACLResourceTypeTopic, match[2]
	if match[3] != "" {
		one.ResourceType, one.ResourceName = kmsg.ACLResourceTypeCluster, clusterName
	}
	one.Principal, one.Host = "User:"+user, "*"
	return one
}

// waitGranted returns when every broker shows these ACLs of a user, or none of them.
func (c *Cluster) waitGranted(t testing.TB, user string, acls []string, granted bool) {
	t.Helper()
	c.EachBroker(t, fmt.Sprintf("that %s has or has not %s", user, strings.Join(acls, ", ")), func(ctx context.Context, broker *kgo.Broker) error {
		request := kmsg.NewPtrDescribeACLsRequest()
		principal := "User:" + user
		request.ResourceType, request.ResourcePatternType, request.Operation, request.PermissionType = kmsg.ACLResourceTypeAny, kmsg.ACLResourcePatternTypeAny, kmsg.ACLOperationAny, kmsg.ACLPermissionTypeAny
		request.Principal = &principal
		response, err := broker.Request(ctx, request)
		if err != nil {
			return err
		}
		described, ok := response.(*kmsg.DescribeACLsResponse)
		if !ok {
			return fmt.Errorf("it answered DescribeAcls with %T", response)
		}
		has := granting(described)
		for _, text := range acls {
			if slices.Contains(has, text) != granted {
				return fmt.Errorf("it has %v", has)
			}
		}
		return nil
	})
}

// granting are the ACLs of an answer, in the words of [Cluster.Grant].
func granting(response *kmsg.DescribeACLsResponse) []string {
	var all []string
	for _, resource := range response.Resources {
		name := "Cluster"
		if resource.ResourceType == kmsg.ACLResourceTypeTopic {
			name = fmt.Sprintf("Topic %q", resource.ResourceName)
		}
		for _, one := range resource.ACLs {
			all = append(all, one.Operation.String()+" on "+name)
		}
	}
	return all
}
