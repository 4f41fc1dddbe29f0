// SPDX-License-Identifier: MPL-2.0

package main

import (
	"maps"
	"testing"
)

func TestTrafficIn(t *testing.T) {
	t.Parallel()
	log := `2026-01-01T00:00:00.000Z [DEBUG] provider: Kafka request: broker=1 request=Metadata sent_bytes=10 received_bytes=200
2026-01-01T00:00:00.000Z [DEBUG] provider: fetched ahead: topics=250 sent_bytes=7
2026-01-01T00:00:00.000Z [DEBUG] provider: Kafka request: received_bytes=1000 broker=2 request=DescribeConfigs sent_bytes=30
2026-01-01T00:00:00.000Z [DEBUG] provider: Kafka request: broker=2 error="no answer" request=DescribeConfigs sent_bytes=30 received_bytes=0
`
	got := trafficIn(log)
	if want := map[string]int{"Metadata": 1, "DescribeConfigs": 2}; !maps.Equal(got.Requests, want) || got.Bytes != 1270 {
		t.Errorf("got %v and %d bytes, want %v and 1270", got.Requests, got.Bytes, want)
	}
}
