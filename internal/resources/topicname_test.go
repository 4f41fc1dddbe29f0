// SPDX-License-Identifier: MPL-2.0

package resources

import (
	"strings"
	"testing"
)

// C-138: Kafka's rule for names of topics.
func TestCheckTopicName(t *testing.T) {
	for name, legal := range map[string]bool{
		"orders": true, "a": true, "Orders.v2_x-1": true, "...": true, "-": true, "_": true, "__consumer_offsets": true, strings.Repeat("t", 249): true,
		"": false, ".": false, "..": false, strings.Repeat("t", 250): false, "a b": false, "a/b": false, "a\n": false, "grün": false, "a*": false, "a:b": false, "\x00": false,
	} {
		if err := CheckTopicName(name); (err == nil) != legal {
			t.Errorf("CheckTopicName(%q) = %v", name, err)
		}
	}
}
