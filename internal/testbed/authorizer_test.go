// SPDX-License-Identifier: MPL-2.0

package testbed

import (
	"context"
	"errors"
	"testing"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/sasl/plain"
)

// checkAuthorizer: who logs in may do what ACLs allow, here through a recorder, and the test bed's own clients may do everything.
func checkAuthorizer(t *testing.T, c *Cluster, user, password string) {
	topic := c.UniqueTopic(t, 1, 2)
	r := RecordListener(t, c, "SASL")
	client, err := kgo.NewClient(kgo.SeedBrokers(r.BootstrapServers()...), kgo.SASL(plain.Auth{User: user, Pass: password}.AsMechanism()))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.Close)
	admin := kadm.NewClient(client)
	describe := func() error {
		configs, err := admin.DescribeTopicConfigs(context.Background(), topic)
		if err != nil {
			return err
		}
		return configs[0].Err
	}
	if err := describe(); !errors.Is(err, kerr.TopicAuthorizationFailed) {
		t.Errorf("without an ACL: %v", err)
	}
	c.Grant(t, user, `DESCRIBE_CONFIGS on Topic "`+topic+`"`, "DESCRIBE on Cluster")
	if err := describe(); err != nil {
		t.Errorf("with the ACL: %v", err)
	}
	c.Revoke(t, user, `DESCRIBE_CONFIGS on Topic "`+topic+`"`)
	if err := describe(); !errors.Is(err, kerr.TopicAuthorizationFailed) {
		t.Errorf("with the ACL taken back: %v", err)
	}
	if n := r.Count(36); n == 0 || r.Count(32) != 3 {
		t.Errorf("%d logins and %d DescribeConfigs were recorded:\n%s", n, r.Count(32), r)
	}
}
