// SPDX-License-Identifier: MPL-2.0

package kafkaapi

import (
	"errors"
	"strings"
	"testing"

	"github.com/twmb/franz-go/pkg/kerr"
)

func TestCodeNamesAreKafkas(t *testing.T) {
	for code := int16(-1); code <= 136; code++ {
		if code == 0 {
			continue
		}
		known := kerr.TypedErrorForCode(code)
		want := map[int16]string{6: "NOT_LEADER_OR_FOLLOWER"}[code]
		if want == "" && known != nil {
			want = known.Message
		}
		if got := codeName(code); got != want {
			t.Errorf("code %d is %s, want %s", code, got, want)
		}
	}
	if got := codeName(999); got != "ERROR_CODE_999" {
		t.Errorf("an unknown code is %s", got)
	}
}

func TestSentinelsByCode(t *testing.T) {
	all := []error{ErrUnknownTopic, ErrTopicExists, ErrInvalidConfig, ErrPolicyViolation, ErrNotAuthorized, ErrUnsupported,
		ErrBrokerUnavailable, ErrHiddenValues, ErrWrongCluster, ErrConnect}
	tests := []struct {
		code int16
		op   string
		want error
	}{
		{3, opListConfigs, ErrUnknownTopic}, {3, opAlterConfigs, ErrUnknownTopic}, {3, opMetadata, ErrUnknownTopic},
		{100, opMetadata, ErrUnknownTopic}, {36, opCreateTopics, ErrTopicExists},
		{40, opAlterConfigs, ErrInvalidConfig}, {40, opCreateTopics, ErrInvalidConfig},
		{42, opAlterConfigs, ErrInvalidConfig}, {42, opCreateTopics, ErrInvalidConfig}, {42, opListConfigs, nil},
		{44, opAlterConfigs, ErrPolicyViolation}, {44, opCreateTopics, ErrPolicyViolation},
		{29, opListConfigs, ErrNotAuthorized}, {30, opListConfigs, ErrNotAuthorized}, {31, opAlterConfigs, ErrNotAuthorized},
		{35, opAlterConfigs, ErrUnsupported}, {8, opAlterConfigs, ErrBrokerUnavailable}, {102, opAlterConfigs, ErrBrokerUnavailable},
		{-1, opAlterConfigs, nil}, {7, opAlterConfigs, nil}, {17, opAlterConfigs, nil}, {999, opAlterConfigs, nil},
	}
	for _, tt := range tests {
		err := newError(tt.op, Topic("orders"), tt.code, "", nil)
		for _, sentinel := range all {
			want := tt.want != nil && errors.Is(sentinel, tt.want)
			if got := errors.Is(err, sentinel); got != want {
				t.Errorf("%d of %s is %v: %t", tt.code, tt.op, sentinel, got)
			}
		}
		if errors.Is(err, nil) {
			t.Errorf("%d is nil", tt.code)
		}
	}
	// ZooKeeper brokers before 2.7.
	if err := newError(opAlterConfigs, Topic("absent"), -1, `Topic "absent" does not exist.`, nil); !errors.Is(err, ErrUnknownTopic) {
		t.Error("an absent topic without a code is not recognised")
	}
}

func TestPermissionsInTheWordsOfACLs(t *testing.T) {
	// C-117.
	tests := []struct {
		code   int16
		op     string
		entity Entity
		want   string
	}{
		{29, opAlterConfigs, Topic("orders"), `ALTER_CONFIGS on Topic "orders"`},
		{29, opListConfigs, Topic("orders"), `DESCRIBE_CONFIGS on Topic "orders"`},
		{31, opListConfigs, BrokerEntity(1), "DESCRIBE_CONFIGS on Cluster"},
		{31, opAlterConfigs, ClusterDefault(), "ALTER_CONFIGS on Cluster"},
		{31, opAlterConfigs, Entity{EntityClientMetrics, "m"}, "ALTER_CONFIGS on Cluster"},
		{30, opAlterConfigs, Entity{EntityGroup, "g"}, `ALTER_CONFIGS on Group "g"`},
		{29, opMetadata, Topic("orders"), `DESCRIBE on Topic "orders"`},
		{29, opCreateTopics, Topic("orders"), `CREATE on Topic "orders" or CREATE on Cluster`},
		{31, opCreateTopics, Topic("orders"), `CREATE on Topic "orders" or CREATE on Cluster`},
		{40, opAlterConfigs, Topic("orders"), ""}, {3, opListConfigs, Topic("orders"), ""},
	}
	for _, tt := range tests {
		if got := newError(tt.op, tt.entity, tt.code, "", nil).Permission; got != tt.want {
			t.Errorf("%d of %s on %s: got %q, want %q", tt.code, tt.op, tt.entity, got, tt.want)
		}
	}
}

func TestErrorTexts(t *testing.T) {
	// C-136: never without the code's name, never without the broker's words where there are some.
	dump := "Request Request(processor=1, connectionId=10.0.0.1:9092-10.0.0.9:55555-0, session=Session(User:x, /10.0.0.9), buffer=null)"
	tests := []struct{ err, want string }{
		{newError(opAlterConfigs, Topic("t"), 40, "Unknown topic config name: x", nil).Error(),
			"INVALID_CONFIG: Unknown topic config name: x"},
		{newError(opAlterConfigs, Topic("t"), 29, "Topic authorization failed.", nil).Error(),
			`TOPIC_AUTHORIZATION_FAILED: Topic authorization failed. (missing permission: ALTER_CONFIGS on Topic "t")`},
		{newError(opAlterConfigs, ClusterDefault(), 31, dump, nil).Error(),
			"CLUSTER_AUTHORIZATION_FAILED (missing permission: ALTER_CONFIGS on Cluster)"},
		{newError(opAlterConfigs, Topic("t"), 44, " \nNo.\n", nil).Error(), "POLICY_VIOLATION: No."},
		{newError(opAlterConfigs, Topic("t"), 44, "\n", nil).Error(), "POLICY_VIOLATION"},
		{newError(opMetadata, Topic("t"), 3, "", nil).Error(), "UNKNOWN_TOPIC_OR_PARTITION"},
		{(&BrokerError{Broker: 7}).Error(), "broker 7 is not among the live brokers of the cluster"},
		{(&BrokerError{Broker: 7, Live: []int32{1, 2}}).Error(), "broker 7 is not among the live brokers of the cluster, which are 1, 2"},
	}
	for _, tt := range tests {
		if tt.err != tt.want {
			t.Errorf("got %q, want %q", tt.err, tt.want)
		}
		if strings.Contains(tt.err, "10.0.0.") {
			t.Errorf("%q shows addresses", tt.err)
		}
	}
}
