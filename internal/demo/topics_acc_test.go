// SPDX-License-Identifier: MPL-2.0

package main

import (
	"strings"
	"testing"

	"github.com/kafka-layout/terraform-provider-kafka/internal/testbed"
)

// TestAccDemo_shown shows that the demo's look at a topic sees a value, a missing key and a key too many, and inherited ones not.
func TestAccDemo_shown(t *testing.T) {
	cluster := testbed.Shared(t)
	topic := testbed.UniqueName(t)
	own := map[string]string{"retention.ms": "1000", "segment.ms": "2000"}
	cluster.CreateTopic(t, topic, 1, 1, own)
	o := outsiderOn(t, cluster)
	if err := o.awaitShown(t.Context(), configs{topic: own}); err != nil {
		t.Fatal(err)
	}
	for name, wrong := range map[string]map[string]string{
		"another value":  {"retention.ms": "1001", "segment.ms": "2000"},
		"one key less":   {"retention.ms": "1000"},
		"one key more":   {"retention.ms": "1000", "segment.ms": "2000", "cleanup.policy": "delete"},
		"nothing of own": {},
	} {
		t.Run(name, func(t *testing.T) {
			if err := o.shown(t.Context(), configs{topic: wrong}); err == nil || !strings.Contains(err.Error(), "retention.ms = 1000, segment.ms = 2000") {
				t.Errorf("got %v; want an error with what is there", err)
			}
		})
	}
	if err := o.shown(t.Context(), configs{topic + "-absent": {}}); err == nil {
		t.Error("a topic that does not exist passed for one without configs")
	}
}
