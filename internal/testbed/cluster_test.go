// SPDX-License-Identifier: MPL-2.0

package testbed

import (
	"context"
	"testing"
	"time"
)

func TestStartThreeBrokers(t *testing.T) {
	start := time.Now()
	c, err := Start(context.Background(), Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Log(time.Since(start), c.Brokers(), c.ClusterID())
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
}
