// SPDX-License-Identifier: MPL-2.0

package proxies

import (
	"encoding/binary"
	"errors"
	"io"
	"net"
	"strconv"
	"testing"
)

// SOCKS starts a SOCKS5 proxy.
func SOCKS(t testing.TB, o Options) *Proxy {
	t.Helper()
	return start(t, o, func(p *Proxy, client net.Conn) {
		if !p.greet(client) {
			return
		}
		host, port, err := target(client)
		if err != nil {
			return
		}
		server, err := p.dial(host, port)
		if err != nil {
			// 4 is "host unreachable".
			_, _ = client.Write([]byte{5, 4, 0, 1, 0, 0, 0, 0, 0, 0})
			return
		}
		if _, err := client.Write([]byte{5, 0, 0, 1, 0, 0, 0, 0, 0, 0}); err != nil {
			return
		}
		tunnel(client, server)
	})
}

// greet agrees on how to authenticate, and does it (RFC 1929).
func (p *Proxy) greet(client net.Conn) bool {
	if _, err := counted(client, 1); err != nil {
		return false
	}
	if p.options.User == "" {
		_, err := client.Write([]byte{5, 0})
		return err == nil
	}
	if _, err := client.Write([]byte{5, 2}); err != nil {
		return false
	}
	user, err := counted(client, 1)
	if err != nil {
		return false
	}
	password, err := counted(client, 0)
	if err != nil {
		return false
	}
	if string(user) != p.options.User || string(password) != p.options.Password {
		_, _ = client.Write([]byte{1, 1})
		return false
	}
	_, err = client.Write([]byte{1, 0})
	return err == nil
}

// counted reads some bytes, a length, and so many more.
func counted(client io.Reader, skip int) ([]byte, error) {
	head := make([]byte, skip+1)
	if _, err := io.ReadFull(client, head); err != nil {
		return nil, err
	}
	text := make([]byte, head[skip])
	_, err := io.ReadFull(client, text)
	return text, err
}

// target reads a request to connect.
func target(client io.Reader) (host, port string, err error) {
	head := make([]byte, 4)
	if _, err := io.ReadFull(client, head); err != nil {
		return "", "", err
	}
	var name []byte
	switch head[3] {
	case 1:
		name = make([]byte, 4)
	case 4:
		name = make([]byte, 16)
	case 3:
		if name, err = counted(client, 0); err != nil {
			return "", "", err
		}
		host = string(name)
	default:
		return "", "", errors.New("an address of an unknown type")
	}
	if host == "" {
		if _, err := io.ReadFull(client, name); err != nil {
			return "", "", err
		}
		host = net.IP(name).String()
	}
	number := make([]byte, 2)
	if _, err := io.ReadFull(client, number); err != nil {
		return "", "", err
	}
	return host, strconv.Itoa(int(binary.BigEndian.Uint16(number))), nil
}
