// SPDX-License-Identifier: MPL-2.0

package connect

import (
	"context"
	"strings"
	"testing"
	"time"
)

// NO_PROXY means for brokers what it means for servers of tokens, and elsewhere: every form of its entries counts.
func TestNoProxy(t *testing.T) {
	server := echo(t)
	for _, tt := range []struct {
		list, address string
		through       bool
	}{
		{"", "kafka.invalid:9092", true},
		{"*", "kafka.invalid:9092", false},
		{"*", server, false},
		{"other.invalid, *", server, false},
		{".corp.invalid", "kafka-1.corp.invalid:9092", false},
		{".corp.invalid", "corp.invalid:9092", true},
		{"corp.invalid", "kafka-1.corp.invalid:9092", false},
		{"corp.invalid", "kafka-1.othercorp.invalid:9092", true},
		{"*.corp.invalid", "kafka-1.corp.invalid:9092", false},
		{"KAFKA.invalid", "kafka.INVALID:9092", false},
		{"kafka.invalid:9092", "kafka.invalid:9092", false},
		{"kafka.invalid:9092", "kafka.invalid:9093", true},
		{"192.0.2.0/24", "192.0.2.1:9092", false},
		{"192.0.2.1", "192.0.2.2:9092", true},
		{"2001:db8::/32", "[2001:db8::1]:9092", false},
		// HTTP clients never go through a proxy to this machine; brokers may be reached so.
		{"", server, true},
		{"", "localhost:1", true},
		{"127.0.0.1", server, false},
		{"127.0.0.0/8", server, false},
	} {
		d, err := BrokerDialer(from(map[string]string{"ALL_PROXY": "http://127.0.0.1:1", "NO_PROXY": tt.list}))
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
		conn, err := d.DialContext(ctx, "tcp", tt.address)
		cancel()
		if err == nil {
			_ = conn.Close()
		}
		if through := err != nil && strings.Contains(err.Error(), "ALL_PROXY"); through != tt.through {
			t.Errorf("NO_PROXY=%q, %s: %v", tt.list, tt.address, err)
		}
	}
}
