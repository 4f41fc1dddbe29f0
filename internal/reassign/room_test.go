// SPDX-License-Identifier: MPL-2.0

package reassign

import (
	"bytes"
	"context"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/hashicorp/terraform-plugin-log/tflogtest"

	"github.com/kafka-layout/terraform-provider-kafka/internal/kafkaapi"
)

// volumes gives every broker a volume with so much room, and a replica of partitions 0 and 1 with so many bytes to broker 1.
func volumes(usable func() int64, size int64) func(context.Context, int32) kafkaapi.BrokerLogDirs {
	return func(_ context.Context, id int32) kafkaapi.BrokerLogDirs {
		dir := kafkaapi.LogDir{UsableBytes: usable(), TotalBytes: 1 << 50}
		if id == 1 {
			dir.Sizes = map[string]map[int32]int64{"orders": {0: size, 1: size}}
		}
		return kafkaapi.BrokerLogDirs{Broker: id, Dirs: []kafkaapi.LogDir{dir}}
	}
}

// C-63: the room is looked at before each batch. A second move waits until the first has ended; it goes when there is room then, and is refused
// with the figures when there is none.
func TestRoomBeforeEachBatch(t *testing.T) {
	for name, c := range map[string]struct {
		later   int64
		any     bool
		done    []int32
		refused bool
	}{
		"room comes":   {150, false, []int32{0, 1}, false},
		"no room":      {50, false, []int32{0}, true},
		"not to check": {50, true, []int32{0, 1}, false},
	} {
		synctest.Test(t, func(t *testing.T) {
			start := time.Now()
			usable := func() int64 {
				if time.Since(start) > time.Second {
					return c.later
				}
				return 150
			}
			kafka := &scripted{dirs: volumes(usable, 100), at: after(map[int]kafkaapi.Layout{
				1: twoPartitions(rest(1, 2), rest(1, 2)), 2: twoPartitions(flight(), rest(1, 2)), 20: twoPartitions(rest(1, 3), rest(1, 2)), 22: twoPartitions(rest(1, 3), rest(1, 3)),
			})}
			o, err := New(kafka, Settings{}, nil).Run(t.Context(), Job{Topic: "orders", Moves: twice(), AnyDisk: c.any})
			if err != nil || !slices.Equal(o.Done, c.done) {
				t.Errorf("%s: %+v, %v", name, o, err)
			}
			if refusal := o.Refused[1]; (refusal != nil) != c.refused || refusal != nil && !strings.Contains(refusal.Error(), "broker 3 has 50 B of disk space left, and 100 B are to be copied") {
				t.Errorf("%s: refused %v", name, refusal)
			}
			if batches := len(kafka.submitted); c.any != (batches == 1) && !c.refused {
				t.Errorf("%s: %d batches", name, batches)
			}
		})
	}
}

// C-76: with INFO there is a line every ten seconds, in bytes with an ETA, for all topics; at DEBUG one for each.
func TestProgressIsLogged(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		var out bytes.Buffer
		ctx := tflogtest.RootLogger(t.Context(), &out)
		kafka := &scripted{}
		kafka.at = func(topic string, _ int) kafkaapi.Layout {
			layout := flight()
			if time.Since(start) > 100*time.Second {
				layout = rest(1, 3)
			}
			layout.Name = topic
			return layout
		}
		kafka.dirs = func(_ context.Context, id int32) kafkaapi.BrokerLogDirs {
			size := int64(100 << 20)
			if id == 3 {
				size = int64(time.Since(start).Seconds()) << 20
			}
			return kafkaapi.BrokerLogDirs{Broker: id, Dirs: []kafkaapi.LogDir{{UsableBytes: -1, Sizes: map[string]map[int32]int64{"a": {0: size}, "b": {0: size}}}}}
		}
		e := New(kafka, Settings{}, nil)
		done := make(chan error)
		for _, topic := range []string{"a", "b"} {
			go func() {
				_, err := e.Run(ctx, Job{Topic: topic, Moves: swap()})
				done <- err
			}()
		}
		for range 2 {
			if err := <-done; err != nil {
				t.Error(err)
			}
		}
		idle(t, e)
		lines, err := tflogtest.MultilineJSONDecode(&out)
		if err != nil {
			t.Fatal(err)
		}
		var infos, debugs []map[string]any
		for _, line := range lines {
			switch line["@level"] {
			case "info":
				infos = append(infos, line)
			case "debug":
				debugs = append(debugs, line)
			}
		}
		if len(infos) < 8 || len(infos) > 11 || len(debugs) != 2*len(infos) {
			t.Fatalf("%d lines at INFO and %d at DEBUG in 100 s", len(infos), len(debugs))
		}
		last, before := infos[4], infos[3]
		if last["bytes_done"].(float64) <= before["bytes_done"].(float64) || last["bytes_per_second"].(float64) < 1.5*(1<<20) || last["eta_seconds"].(float64) < 30 || last["partitions"].(float64) != 2 {
			t.Errorf("%v", last)
		}
		if text := last["@message"].(string); !strings.Contains(text, "0 of 2 partitions done") || !strings.Contains(text, "of 200 MiB copied, 2.1 MiB per second, about 4") {
			t.Errorf("%q", text)
		}
	})
}
