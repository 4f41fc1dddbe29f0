// SPDX-License-Identifier: MPL-2.0

package kafkaapi

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/IBM/sarama"
	"github.com/hashicorp/terraform-plugin-log/tflog"
)

// libraryLog takes what the client library logs, for the whole process. It goes to Terraform's log and never to stdout, on which
// plugin and Terraform talk to each other; as long as there is no context to log with, nowhere.
var libraryLog struct {
	once sync.Once
	to   atomic.Pointer[libraryLines]
}

// libraryLines is where the lines go, and what hides secrets in them. tflog's masks will not do: they write into the context's own
// fields, which all that log with it share, and the library logs from a goroutine of each connection.
type libraryLines struct {
	ctx  context.Context //nolint:containedctx // it is the only handle of a tflog logger
	hide *strings.Replacer
}

// logLibrary sends the library's lines to the client's context, without the client's secrets.
func (c *Client) logLibrary() {
	// Once and before any connection: the library reads the variables without a lock.
	libraryLog.once.Do(func() {
		sarama.Logger = libraryLogger{}
		// Where it stumbles in a goroutine of its own, the connection fails, and not the provider.
		sarama.PanicHandler = func(v any) { libraryLogger{}.line(fmt.Sprintf("panic: %v", v)) }
	})
	if c.opts.LogContext == nil {
		return
	}
	var hidden []string
	for _, secret := range c.opts.SASL.secrets() {
		hidden = append(hidden, secret, "***")
	}
	libraryLog.to.Store(&libraryLines{ctx: context.WithoutCancel(c.opts.LogContext), hide: strings.NewReplacer(hidden...)})
}

// secrets are what must not be logged, as far as it is known beforehand.
func (s *SASL) secrets() []string {
	if s == nil {
		return nil
	}
	all := []string{s.Password}
	if s.Kerberos != nil {
		all = append(all, s.Kerberos.Password)
	}
	return slices.DeleteFunc(all, func(secret string) bool { return secret == "" })
}

type libraryLogger struct{}

// Print logs a line.
func (l libraryLogger) Print(v ...any) { l.line(fmt.Sprint(v...)) }

// Printf logs a line.
func (l libraryLogger) Printf(format string, v ...any) { l.line(fmt.Sprintf(format, v...)) }

// Println logs a line.
func (l libraryLogger) Println(v ...any) { l.line(fmt.Sprintln(v...)) }

func (libraryLogger) line(text string) {
	if to := libraryLog.to.Load(); to != nil {
		tflog.Trace(to.ctx, "Kafka client library", map[string]any{"line": to.hide.Replace(strings.TrimSpace(text))})
	}
}
