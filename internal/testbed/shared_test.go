// SPDX-License-Identifier: MPL-2.0

package testbed

import (
	"testing"
)

func TestMain(m *testing.M) { Main(m) }

func TestSharedTopic(t *testing.T) {
	c := Shared(t)
	name := c.UniqueTopic(t, 3, 3)
	t.Log(name)
}
