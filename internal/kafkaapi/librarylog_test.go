// SPDX-License-Identifier: MPL-2.0

package kafkaapi

import (
	"bytes"
	"strings"
	"sync"
	"testing"

	"github.com/hashicorp/terraform-plugin-log/tflog"
	"github.com/hashicorp/terraform-plugin-log/tflogtest"
)

// The library logs from a goroutine of each connection while requests log with the same fields: no line shows the password, none is lost,
// and nobody writes what another one reads (which the race detector tells).
func TestLibraryLogsFromManyConnections(t *testing.T) {
	const secret, lines = "canary-4711", 200
	var log bytes.Buffer
	ctx := tflog.SetField(tflogtest.RootLogger(testContext(t), &log), "provider", "kafka")
	c := &Client{opts: Options{LogContext: ctx, SASL: &SASL{Password: secret}}}
	c.logLibrary()
	t.Cleanup(func() { libraryLog.to.Store(nil) })
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			for range lines {
				libraryLogger{}.Printf("the password is %s\n", secret)
			}
		})
		all.Go(func() {
			for range lines {
				tflog.Trace(ctx, "Kafka request")
			}
		})
	}
	all.Wait()
	if n := strings.Count(log.String(), `"line":"the password is ***"`); n != 4*lines {
		t.Errorf("%d lines of %d", n, 4*lines)
	}
	if strings.Contains(log.String(), secret) {
		t.Error("The log shows the password")
	}
}
