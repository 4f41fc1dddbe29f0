// SPDX-License-Identifier: MPL-2.0

package kafkaapi

import (
	"testing"
	"time"
)

func TestChoose(t *testing.T) {
	whichever, controller := target{}, target{kind: toController}
	tests := map[string]struct {
		target target
		spread bool
		// busy and tried are keyed by broker.
		busy, tried map[int32]int
		penalised   []int32
		throttled   []int32
		want        int32
	}{
		"the one that answered last":                   {target: whichever, want: 2},
		"a read stays there also where it waits":       {target: whichever, busy: map[int32]int{2: maxConnections}, want: 2},
		"a write too while nothing else is under way":  {target: whichever, spread: true, want: 2},
		"a write goes where less is under way":         {target: whichever, spread: true, busy: map[int32]int{1: 2, 2: 1}, want: 3},
		"a failed broker comes after a busy one":       {target: whichever, spread: true, tried: map[int32]int{3: 1}, busy: map[int32]int{1: 8, 2: 7}, want: 2},
		"a silent broker comes after a busy one":       {target: whichever, spread: true, penalised: []int32{3}, busy: map[int32]int{1: 8, 2: 7}, want: 2},
		"a silent broker comes before one that failed": {target: whichever, penalised: []int32{1, 2}, tried: map[int32]int{3: 1}, want: 2},
		"a throttled broker comes after a busy one":    {target: whichever, spread: true, throttled: []int32{3}, busy: map[int32]int{1: 8, 2: 7}, want: 2},
		"a silent broker comes after a throttled one":  {target: whichever, spread: true, throttled: []int32{3}, penalised: []int32{1, 2}, want: 3},
		"the controller, busy or not":                  {target: controller, spread: true, busy: map[int32]int{3: 5}, want: 3},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			c := NewClient(Options{BootstrapServers: []string{"127.0.0.1:1"}})
			defer func() { _ = c.Close() }()
			c.favourite = 2
			for id, n := range tt.busy {
				for range n {
					c.pool(id).slots <- struct{}{}
				}
			}
			for _, id := range tt.penalised {
				c.pool(id).penalise()
			}
			for _, id := range tt.throttled {
				c.pool(id).throttle(time.Hour)
			}
			r := newRoute(tt.target, tt.spread)
			for id, n := range tt.tried {
				for range n {
					r.failed(Broker{ID: id}, false)
				}
			}
			cluster := Cluster{ControllerID: 3, Brokers: []Broker{{ID: 1}, {ID: 2}, {ID: 3}}}
			if got := r.choose(c, cluster); got.ID != tt.want {
				t.Errorf("broker %d, want %d", got.ID, tt.want)
			}
		})
	}
}
