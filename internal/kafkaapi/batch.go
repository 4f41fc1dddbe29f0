// SPDX-License-Identifier: MPL-2.0

package kafkaapi

// Limits of one request. KRaft refuses a whole request of more than 10 000 records (kafka: MAX_RECORDS_PER_USER_OP), brokers
// take 100 MiB, and one entity of a hundred is what a retry repeats at most.
const (
	maxEntities = 100
	maxRecords  = 10_000
	maxBytes    = 8 << 20
	// maxFiltered is for descriptions by a few keys: a thousand topics by two keys take a broker 25 ms.
	maxFiltered, fewKeys = 1000, 4
)

// load is what an item adds to a request.
type load struct {
	entity  Entity
	at      *int32
	records int
	bytes   int
	// light: so little is asked of each that a request can hold maxFiltered.
	light bool
}

// batch holds items that one request can carry: all for the same broker and of one entity type, because brokers refuse every
// resource of a request that holds one type they do not know.
type batch[T any] struct {
	target target
	items  []T
}

// batches distributes items over requests, in order.
func batches[T any](items []T, weigh func(T) load) []batch[T] {
	type group struct {
		target target
		kind   EntityType
	}
	type sum struct{ index, records, bytes int }
	open := map[group]sum{}
	var all []batch[T]
	for _, item := range items {
		l := weigh(item)
		g := group{target: targetOf(l.entity), kind: l.entity.Type}
		if l.at != nil {
			g.target = target{kind: toBroker, id: *l.at}
		}
		s, ok := open[g]
		most := maxEntities
		if l.light {
			most = maxFiltered
		}
		full := ok && (len(all[s.index].items) >= most || s.records+l.records > maxRecords || s.bytes+l.bytes > maxBytes)
		if !ok || full {
			s = sum{index: len(all)}
			all = append(all, batch[T]{target: g.target})
		}
		all[s.index].items = append(all[s.index].items, item)
		s.records += l.records
		s.bytes += l.bytes
		open[g] = s
	}
	return all
}
