// SPDX-License-Identifier: MPL-2.0

package throttle

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/kafka-layout/terraform-provider-kafka/internal/reassign"
)

// everyReplica in a list stands for all replicas of the topic.
const everyReplica = "*"

// list is a throttled-replica list.
type list struct {
	// all is "*"; there are no entries then.
	all     bool
	entries []reassign.Replica
}

// parseList reads a list as a broker shows it: "0:1,0:2", "*" or nothing, with blanks anywhere around. What is none of these is an error: it
// must stay as it is.
func parseList(text string) (list, error) {
	if strings.TrimSpace(text) == everyReplica {
		return list{all: true}, nil
	}
	var l list
	for _, item := range strings.Split(text, ",") {
		if strings.TrimSpace(item) == "" {
			continue
		}
		var r reassign.Replica
		if err := r.UnmarshalText([]byte(item)); err != nil {
			return list{}, fmt.Errorf("%q is no list of throttled replicas: %w", text, err)
		}
		l.entries = append(l.entries, r)
	}
	return l, nil
}

// String is the list as a config's value.
func (l list) String() string {
	if l.all {
		return everyReplica
	}
	items := make([]string, 0, len(l.entries))
	for _, r := range l.entries {
		items = append(items, r.String())
	}
	return strings.Join(items, ",")
}

// with adds the entries that are not there yet, behind those that are. "*" stays.
func (l list) with(entries []reassign.Replica) list {
	if l.all {
		return l
	}
	merged := list{entries: slices.Clone(l.entries)}
	for _, r := range entries {
		if !slices.Contains(merged.entries, r) {
			merged.entries = append(merged.entries, r)
		}
	}
	return merged
}

// without removes entries. "*" stays.
func (l list) without(entries []reassign.Replica) list {
	if l.all {
		return l
	}
	return list{entries: without(l.entries, entries)}
}

// covers tells whether all the entries are throttled.
func (l list) covers(entries []reassign.Replica) bool {
	return l.all || len(without(entries, l.entries)) == 0
}

func without(of, entries []reassign.Replica) []reassign.Replica {
	gone := map[reassign.Replica]bool{}
	for _, r := range entries {
		gone[r] = true
	}
	return slices.DeleteFunc(slices.Clone(of), func(r reassign.Replica) bool { return gone[r] })
}

// union gives the entries of both, sorted and each once.
func union(a, b []reassign.Replica) []reassign.Replica {
	all := slices.Concat(a, b)
	slices.SortFunc(all, func(a, b reassign.Replica) int {
		return cmp.Or(cmp.Compare(a.Partition, b.Partition), cmp.Compare(a.Broker, b.Broker))
	})
	return slices.Compact(all)
}
