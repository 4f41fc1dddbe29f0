// SPDX-License-Identifier: MPL-2.0

package throttle_test

import (
	"testing"

	"github.com/kafka-layout/terraform-provider-kafka/internal/testbed"
)

// own is the cluster of this package's tests, which set rates on its brokers. The tests run one after the other.
var own = testbed.OfPackage{Options: testbed.Options{Brokers: brokerCount}, Needs: "four brokers of its own"}

const brokerCount = 4

func TestMain(m *testing.M) { own.Main(m) }
