// SPDX-License-Identifier: MPL-2.0

package topicassignment_test

import (
	"context"
	"fmt"
	"sync"
	"testing"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kmsg"

	"github.com/kafka-layout/terraform-provider-kafka/internal/acctest"
	"github.com/kafka-layout/terraform-provider-kafka/internal/testbed"
)

// Acceptance 12; C-40: a plan of 100 resources on unchanged topics takes a handful of requests: four questions, asked a few times before the
// rest is fetched ahead. None of them is per topic, and it neither writes nor validates nor asks for log dirs. Ten at a time, as Terraform does.
func TestPlanOfHundred(t *testing.T) {
	b := newBench(t)
	prefix := testbed.UniqueName(t)
	var names []string
	for i := range 100 {
		names = append(names, fmt.Sprintf("%s-%d", prefix, i))
	}
	if _, err := b.admin.CreateTopics(t.Context(), 2, 2, nil, names...); err != nil {
		t.Fatal(err)
	}
	admin := b.cluster.Admin(t)
	t.Cleanup(func() { deleteAll(t, admin, names) })
	for _, name := range names {
		b.cluster.WaitTopic(t, name, 2)
	}
	resources := make([]*acctest.Resource, len(names))
	w := b.tf.Walk()
	for i, name := range names {
		resources[i] = b.tf.Resource(typeName)
		w.Import(resources[i], name).NoErrors(t)
	}
	b.rec.Reset()
	w = b.tf.Walk()
	turns, all := make(chan struct{}, 10), sync.WaitGroup{}
	for i, r := range resources {
		all.Go(func() {
			turns <- struct{}{}
			defer func() { <-turns }()
			if diags := w.Refresh(r); len(diags) > 0 {
				t.Errorf("Refresh of %s:\n%s", names[i], diags)
			}
			p := w.Plan(r, computed(names[i], 2, 2))
			if p.Action != acctest.NoOp || len(p.Diagnostics) > 0 {
				t.Errorf("The plan of %s is a %s:\n%s", names[i], p.Action, p.Diagnostics)
			}
		})
	}
	all.Wait()
	b.quiet()
	total, byName := 0, map[string]int{}
	for _, q := range b.rec.Requests() {
		byName[kmsg.NameForKey(q.Key)]++
		if q.Key == keyDescribeLogDirs {
			t.Error("Log dirs were asked for")
		}
		if q.Key != 18 { // ApiVersions opens each connection
			total++
		}
	}
	t.Logf("Requests: %v", byName)
	if total > 20 {
		t.Errorf("%d requests for 100 resources:\n%s", total, b.rec)
	}
}

func deleteAll(t *testing.T, admin *kadm.Client, names []string) {
	if _, err := admin.DeleteTopics(context.Background(), names...); err != nil {
		t.Errorf("Delete %d topics: %v", len(names), err)
	}
}
