// SPDX-License-Identifier: MPL-2.0

package testbed

import "testing"

func TestMain(m *testing.M) { Main(m) }
