// SPDX-License-Identifier: MPL-2.0

package testbed

import (
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
