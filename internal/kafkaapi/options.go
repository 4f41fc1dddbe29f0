// SPDX-License-Identifier: MPL-2.0

package kafkaapi

import (
	"context"
	"crypto/tls"
	"net"
	"time"
)

// Defaults of Options.
const (
	defaultClientID       = "terraform-provider-kafka"
	defaultRequestTimeout = 30 * time.Second
)

// Options are what a Client needs to know. The zero value of a field means its default.
type Options struct {
	// BootstrapServers are host:port addresses, at least one.
	BootstrapServers []string
	// ClusterID, where not empty, is the only cluster that the client talks to: any other is a WrongClusterError on first use.
	ClusterID string
	// ClientID is what quotas and audit logs of the brokers see. Default: terraform-provider-kafka.
	ClientID string
	// RequestTimeout bounds one request at one broker, connection included. Default: 30s.
	RequestTimeout time.Duration
	// TLS is what connections are encrypted with. Without a ServerName, certificates must be for the host that is connected to.
	// Default: plain text.
	TLS *tls.Config
	// SASL is how connections authenticate. Default: not at all.
	SASL *SASL
	// Dialer opens the connections to brokers, for example through a proxy. Default: directly.
	Dialer Dialer
	// LogContext is where the client library's own log lines go (tflog), which belong to no request. Default: nowhere.
	LogContext context.Context //nolint:containedctx // it is the only handle of a tflog logger
}

// Dialer opens a connection, as net.Dialer does.
type Dialer interface {
	DialContext(ctx context.Context, network, address string) (net.Conn, error)
}

func (o Options) withDefaults() Options {
	if o.ClientID == "" {
		o.ClientID = defaultClientID
	}
	if o.RequestTimeout <= 0 {
		o.RequestTimeout = defaultRequestTimeout
	}
	if o.Dialer == nil {
		o.Dialer = &net.Dialer{}
	}
	return o
}
