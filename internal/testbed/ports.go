// SPDX-License-Identifier: MPL-2.0

package testbed

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"os"
	"sync"
)

const (
	loopback       = "127.0.0.1"
	firstPort      = 10000
	ephemeralPorts = 32768 // where Linux begins to take ports for outgoing connections, unless told otherwise
)

// handedOut has the ports that this process took, as a stopped broker's port looks free.
var handedOut = struct {
	sync.Mutex
	ports map[int]bool
}{ports: map[int]bool{}}

// freePort returns a port of loopback that nobody listens on. It is below those that the system takes for outgoing connections, so
// that a broker which is stopped for a while finds its port free again. Another process may still take it in the meantime; whoever
// starts a server has to expect that and try again with another port.
func freePort() (int, error) {
	handedOut.Lock()
	defer handedOut.Unlock()
	limit := ephemeralStart()
	for range 1000 {
		port := firstPort + rand.IntN(limit-firstPort)
		if handedOut.ports[port] || !isFree(port) {
			continue
		}
		handedOut.ports[port] = true
		return port, nil
	}
	return 0, errors.New("no free port on " + loopback)
}

func isFree(port int) bool {
	listener, err := net.Listen("tcp", fmt.Sprintf("%s:%d", loopback, port))
	if err != nil {
		return false
	}
	return listener.Close() == nil
}

func ephemeralStart() int {
	var first int
	content, err := os.ReadFile("/proc/sys/net/ipv4/ip_local_port_range")
	if err != nil {
		return ephemeralPorts
	}
	if _, err := fmt.Sscan(string(content), &first); err != nil || first < firstPort+1000 {
		return ephemeralPorts
	}
	return first
}
