// SPDX-License-Identifier: MPL-2.0

package kafkaapi

import (
	"fmt"
	"sync"
	"testing"

	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kmsg"
)

// C-126: ten resources on a cluster of 20 000 topics ask for theirs and never for all, in requests and in bytes; one of another kind, which
// is to see that the count counts, does.
func TestTenResourcesOnAnEnormousCluster(t *testing.T) {
	ctx := testContext(t)
	names := make([]string, 20_000)
	for i := range names {
		names[i] = fmt.Sprintf("foreign-%05d", i)
	}
	fake := newFake(t, kfake.SeedTopics(1, names...))
	dialer := &countingDialer{}
	client := newTestClient(t, Options{BootstrapServers: fake.ListenAddrs(), Dialer: dialer})
	var mu sync.Mutex
	whole, named := 0, 0
	fake.ControlKey(keyMetadata, func(request kmsg.Request) (kmsg.Response, error, bool) {
		fake.KeepControl()
		mu.Lock()
		defer mu.Unlock()
		if m := request.(*kmsg.MetadataRequest); m.Topics == nil {
			whole++
		} else {
			named = max(named, len(m.Topics))
		}
		return nil, nil, false
	})
	side(10, names[:10], func(name string) {
		if answer := client.ReadConfigs(ctx, Topic(name), ListConfigsOptions{}); answer.Err != nil {
			t.Error(answer.Err)
		}
		if layout := client.ReadLayout(ctx, name); layout.Err != nil || len(layout.Partitions) != 1 {
			t.Errorf("%+v", layout)
		}
	})
	if whole != 0 || named == 0 || named > 10 {
		t.Errorf("%d questions for all topics, and for up to %d by name", whole, named)
	}
	// What all topics would be is some 800 kB of names alone; ten of them are some 30 kB, as each has all of its configs.
	ten := dialer.received
	if ten == 0 || ten > 200_000 {
		t.Errorf("Ten topics took %d bytes", ten)
	}
	if all, err := client.TopicNames(ctx); err != nil || len(all) != len(names) || whole != 1 {
		t.Errorf("All names: %d, %v, and %d questions for all", len(all), err, whole)
	}
	if all := dialer.received - ten; all < 400_000 {
		t.Errorf("All names took %d bytes: the count does not count", all)
	}
}
