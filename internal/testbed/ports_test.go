// SPDX-License-Identifier: MPL-2.0

package testbed

import (
	"errors"
	"fmt"
	"net"
	"testing"
)

func TestFreePorts(t *testing.T) {
	seen := map[int]bool{}
	for range 200 {
		port, err := freePort()
		if err != nil {
			t.Fatal(err)
		}
		if seen[port] || port < firstPort || port >= ephemeralStart() {
			t.Fatalf("port %d was given twice or is not below the system's own", port)
		}
		seen[port] = true
	}
}

func TestIsFree(t *testing.T) {
	listener, err := net.Listen("tcp", loopback+":0")
	if err != nil {
		t.Fatal(err)
	}
	port := listener.Addr().(*net.TCPAddr).Port
	if isFree(port) {
		t.Errorf("port %d is free while somebody listens", port)
	}
	if err := listener.Close(); err != nil {
		t.Fatal(err)
	}
	if !isFree(port) {
		t.Error(fmt.Sprint("port ", port, " is not free"))
	}
}

func TestRetryTaken(t *testing.T) {
	taken, broken := &startError{portTaken: true}, &startError{}
	other := errors.New("no memory")
	tests := map[string]struct {
		answers []error // of one start after the other
		starts  int
		want    error
	}{
		"at once":            {[]error{nil}, 1, nil},
		"second port":        {[]error{fmt.Errorf("node 1: %w", taken), nil}, 2, nil},
		"never a free port":  {[]error{taken, taken, taken, nil}, 3, taken},
		"server that breaks": {[]error{broken, nil}, 1, broken},
		"another reason":     {[]error{other, nil}, 1, other},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			starts := 0
			err := retryTaken(startAttempts, func() error {
				starts++
				return tt.answers[starts-1]
			})
			if starts != tt.starts || !errors.Is(err, tt.want) {
				t.Errorf("%d starts and %v, want %d and %v", starts, err, tt.starts, tt.want)
			}
		})
	}
}
