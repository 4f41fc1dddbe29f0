// SPDX-License-Identifier: MPL-2.0

package brokerconfig_test

import (
	"testing"

	"github.com/kafka-layout/terraform-provider-kafka/internal/testbed"
)

// own is the cluster of this package's tests: configs of brokers are settings of the whole cluster, so it is not shared with other
// packages, and the tests that use it run one after the other.
var own = testbed.OfPackage{Needs: "one whose settings it may change"}

func TestMain(m *testing.M) { own.Main(m) }
