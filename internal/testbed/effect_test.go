// SPDX-License-Identifier: MPL-2.0

package testbed

import (
	"testing"

	"github.com/twmb/franz-go/pkg/kmsg"
)

func TestEffectOf(t *testing.T) {
	alter := kmsg.NewPtrAlterConfigsRequest()
	checked := kmsg.NewPtrAlterConfigsRequest()
	checked.ValidateOnly = true
	allTopics := kmsg.NewPtrMetadataRequest()
	allTopics.AllowAutoTopicCreation = true
	named := kmsg.NewPtrMetadataRequest()
	named.Version = 12
	named.AllowAutoTopicCreation = false
	named.Topics = []kmsg.MetadataRequestTopic{{Topic: kmsg.StringPtr("t")}}
	creating := *named
	creating.AllowAutoTopicCreation = true
	old := *named
	old.Version = 3
	tests := map[string]struct {
		request kmsg.Request
		want    effect
	}{
		"AlterConfigs":                            {alter, write},
		"AlterConfigs, validate only":             {checked, validation},
		"IncrementalAlterConfigs":                 {kmsg.NewPtrIncrementalAlterConfigsRequest(), write},
		"CreateTopics, validate only":             {&kmsg.CreateTopicsRequest{ValidateOnly: true}, validation},
		"CreatePartitions, validate only":         {&kmsg.CreatePartitionsRequest{ValidateOnly: true}, validation},
		"AlterClientQuotas, validate only":        {&kmsg.AlterClientQuotasRequest{ValidateOnly: true}, validation},
		"AlterPartitionReassignments has no such": {kmsg.NewPtrAlterPartitionAssignmentsRequest(), write},
		"ElectLeaders":                            {kmsg.NewPtrElectLeadersRequest(), write},
		"DeleteTopics":                            {kmsg.NewPtrDeleteTopicsRequest(), write},
		"ListPartitionReassignments":              {kmsg.NewPtrListPartitionReassignmentsRequest(), read},
		"DescribeConfigs":                         {kmsg.NewPtrDescribeConfigsRequest(), read},
		"Metadata of all topics":                  {allTopics, read},
		"Metadata of a topic":                     {named, read},
		"Metadata that may create the topic":      {&creating, write},
		"Metadata before version 4":               {&old, write},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			if got := effectOf(tt.request); got != tt.want {
				t.Errorf("got %v, want %v", got, tt.want)
			}
		})
	}
}
