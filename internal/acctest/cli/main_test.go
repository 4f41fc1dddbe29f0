// SPDX-License-Identifier: MPL-2.0

package cli

import (
	"testing"

	"github.com/kafka-layout/terraform-provider-kafka/internal/testbed"
)

// TestMain ends the cluster that the package's tests share.
func TestMain(m *testing.M) { testbed.Main(m) }
