// SPDX-License-Identifier: MPL-2.0

package kafkaapi

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"errors"
	"io"
	"math/big"
	"net"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kmsg"

	"github.com/kafka-layout/terraform-provider-kafka/internal/testbed"
)

// serve answers each connection with f until the test ends.
func serve(t *testing.T, config *tls.Config, f func(net.Conn)) string {
	t.Helper()
	listener, err := (&net.ListenConfig{}).Listen(context.Background(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := listener.Addr().String()
	if config != nil {
		listener = tls.NewListener(listener, config)
	}
	var wg sync.WaitGroup
	wg.Go(func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			wg.Go(func() {
				defer func() { _ = conn.Close() }()
				f(conn)
			})
		}
	})
	t.Cleanup(func() { _ = listener.Close(); wg.Wait() })
	return address
}

// readAll reads until the other side goes; a TLS server shakes hands meanwhile.
func readAll(conn net.Conn) { _, _ = io.Copy(io.Discard, conn) }

// freeAddress is an address where nothing listens.
func freeAddress(t *testing.T) string {
	t.Helper()
	listener, err := (&net.ListenConfig{}).Listen(context.Background(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = listener.Close() }()
	return listener.Addr().String()
}

func selfSigned(t *testing.T) tls.Certificate {
	t.Helper()
	return selfSignedFor(t, []string{"kafka-1.example", "kafka.example"}, []net.IP{net.IPv4(127, 0, 0, 1)})
}

func selfSignedFor(t *testing.T, names []string, addresses []net.IP) tls.Certificate {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "kafka-1.example"},
		DNSNames: names, IPAddresses: addresses,
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		t.Fatal(err)
	}
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}
}

func TestConnectErrorsSayWhatWasFound(t *testing.T) {
	certificate := selfSigned(t)
	oneWay := &tls.Config{Certificates: []tls.Certificate{certificate}}
	mutual := &tls.Config{Certificates: []tls.Certificate{certificate}, ClientAuth: tls.RequireAnyClientCert}
	tlsWords := "the port speaks TLS (certificate of CN=kafka-1.example for kafka-1.example, kafka.example, 127.0.0.1), " +
		"but the provider speaks plain text to it"
	tests := map[string]struct {
		address func(*testing.T) string
		want    string
	}{
		"name not resolvable": {func(*testing.T) string { return "kafka.invalid:9092" }, `the name "kafka.invalid" cannot be resolved`},
		"refused":             {freeAddress, "connection refused"},
		"no port":             {func(*testing.T) string { return "localhost" }, "address localhost: missing port in address"},
		"silent": {func(t *testing.T) string { return serve(t, nil, readAll) },
			"no answer to ApiVersions within 1s"},
		"TLS":        {func(t *testing.T) string { return serve(t, oneWay, readAll) }, tlsWords},
		"mutual TLS": {func(t *testing.T) string { return serve(t, mutual, readAll) }, tlsWords},
		"HTTP": {func(t *testing.T) string {
			return serve(t, nil, func(c net.Conn) {
				_, _ = c.Read(make([]byte, 1))
				_, _ = io.WriteString(c, "HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n")
				readAll(c)
			})
		}, "what answers there does not speak Kafka's protocol"},
		"closes": {func(t *testing.T) string { return serve(t, nil, func(net.Conn) {}) },
			"the connection was closed before ApiVersions was answered"},
		"wants SASL": {func(t *testing.T) string {
			fake := newFake(t, kfake.NumBrokers(1), kfake.EnableSASL(), kfake.Superuser("PLAIN", "admin", "secret"))
			return fake.ListenAddrs()[0]
		}, "the listener wants SASL authentication, and the provider's sasl is not set; it offers PLAIN, SCRAM-SHA-256, SCRAM-SHA-512"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			address := tt.address(t)
			client := newTestClient(t, Options{BootstrapServers: []string{address}, RequestTimeout: time.Second})
			_, err := client.Cluster(testContext(t))
			var failed *ConnectError
			if !errors.As(err, &failed) || !errors.Is(err, ErrConnect) || len(failed.Attempts) != 1 {
				t.Fatalf("got %v", err)
			}
			if got := failed.Attempts[0]; got != address+": "+tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

func TestDeadBootstrapServersArePassedOver(t *testing.T) {
	// C-101. The silent one comes first: the others get their turn before its time is up.
	cluster := testbed.Shared(t)
	servers := append([]string{serve(t, nil, readAll), freeAddress(t), "kafka.invalid:9092"}, cluster.BootstrapServers()...)
	client := newTestClient(t, Options{BootstrapServers: servers})

	got, err := client.Cluster(testContext(t))

	if err != nil || got.ID != cluster.ClusterID() || len(got.Brokers) != 3 {
		t.Fatalf("got %+v, %v", got, err)
	}
	for i, b := range cluster.Brokers() {
		if want := (Broker{ID: int32(b.ID), Address: b.Address, Rack: b.Rack}); got.Brokers[i] != want {
			t.Errorf("broker is %+v, want %+v", got.Brokers[i], want)
		}
	}
}

func TestNoBootstrapServers(t *testing.T) {
	// C-106: an error, no panic.
	for _, servers := range [][]string{nil, {}, {""}, {":"}, {"::::"}, {"localhost:99999"}} {
		client := newTestClient(t, Options{BootstrapServers: servers})
		if _, err := client.Cluster(testContext(t)); !errors.Is(err, ErrConnect) {
			t.Errorf("%q: got %v", servers, err)
		}
	}
}

func TestAFailedFirstConnectionIsNotRemembered(t *testing.T) {
	cluster := testbed.Shared(t)
	recorder := testbed.Record(t, cluster)
	for _, b := range cluster.Brokers() {
		if err := recorder.Refuse(b.ID); err != nil {
			t.Fatal(err)
		}
	}
	client := newTestClient(t, Options{BootstrapServers: recorder.BootstrapServers()})
	_, err := client.Cluster(testContext(t))
	var failed *ConnectError
	if !errors.As(err, &failed) || len(failed.Attempts) != 3 {
		t.Fatalf("got %v", err)
	}
	if err := recorder.Heal(2); err != nil {
		t.Fatal(err)
	}
	if got, err := client.Cluster(testContext(t)); err != nil || got.ID != cluster.ClusterID() {
		t.Errorf("got %+v, %v", got, err)
	}
}

func TestWrongCluster(t *testing.T) {
	cluster := testbed.Shared(t)
	client := newTestClient(t, Options{BootstrapServers: cluster.BootstrapServers(), ClusterID: "5L6g3nShT-eMCtK--X86sw"})
	for range 2 {
		err := client.AlterConfigs(testContext(t), []Alteration{{Entity: ClusterDefault(), Set: map[string]string{"a": "b"}}}, true)[0].Err
		var wrong *WrongClusterError
		if !errors.As(err, &wrong) || wrong.Got != cluster.ClusterID() || wrong.Want != "5L6g3nShT-eMCtK--X86sw" {
			t.Errorf("got %v", err)
		}
	}
	right := newTestClient(t, Options{BootstrapServers: cluster.BootstrapServers(), ClusterID: cluster.ClusterID()})
	if _, err := right.Cluster(testContext(t)); err != nil {
		t.Error(err)
	}
}

func TestAdvertisedAddressOutOfReach(t *testing.T) {
	fake := newFake(t, kfake.NumBrokers(2))
	dead := freeAddress(t)
	_, port, _ := net.SplitHostPort(dead)
	fake.ControlKey(int16(kmsg.DescribeCluster), func(request kmsg.Request) (kmsg.Response, error, bool) {
		fake.KeepControl()
		answer := request.ResponseKind().(*kmsg.DescribeClusterResponse)
		for id := range int32(2) {
			b := kmsg.NewDescribeClusterResponseBroker()
			b.NodeID, b.Host, b.Port = id, "127.0.0.1", int32(mustInt(t, port))
			answer.Brokers = append(answer.Brokers, b)
		}
		return answer, nil, true
	})
	bootstrap := fake.ListenAddrs()[0]
	client := newTestClient(t, Options{BootstrapServers: []string{bootstrap}, RequestTimeout: 5 * time.Second})

	found := client.ListConfigs(testContext(t), []Entity{Topic("orders"), BrokerEntity(1)}, ListConfigsOptions{})

	words := dead + ": connection refused (the broker advertises this address; the cluster was found through " + bootstrap + ")"
	var failed *ConnectError
	if !errors.As(found[0].Err, &failed) || len(failed.Attempts) != 2 || failed.Attempts[0] != "broker 0 at "+words {
		t.Errorf("got %v", found[0].Err)
	}
	var unavailable *BrokerError
	if !errors.As(found[1].Err, &unavailable) || !strings.Contains(unavailable.Error(), "the cluster was found through "+bootstrap) {
		t.Errorf("got %v", found[1].Err)
	}
}
