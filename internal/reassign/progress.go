// SPDX-License-Identifier: MPL-2.0

package reassign

import (
	"fmt"
	"time"
)

// progress is how far all moves of a run are.
type progress struct {
	partitions, done int
	// bytes are those of all copies, copied those that have arrived.
	bytes, copied int64
	// unknown are moves whose size is not known.
	unknown int
}

func (p *progress) add(t *transit, m measured) {
	p.partitions++
	if t.stage != waiting && t.stage != inFlight {
		p.done++
	}
	copies := int64(len(t.Adding()))
	if copies == 0 {
		return
	}
	if t.size < 0 {
		p.unknown++
		return
	}
	p.bytes += copies * t.size
	switch t.stage {
	case finished:
		p.copied += copies * t.size
	case inFlight:
		p.copied += min(sampleOf(t, m).copied, copies*t.size)
	}
}

// speed turns two looks at the progress into bytes per second and the time that is left; both are 0 where nothing can be said.
func speed(before, now progress, between time.Duration) (perSecond int64, left time.Duration) {
	if between <= 0 || now.copied <= before.copied {
		return 0, 0
	}
	perSecond = int64(float64(now.copied-before.copied) / between.Seconds())
	if perSecond > 0 {
		left = time.Duration(float64(now.bytes-now.copied) / float64(perSecond) * float64(time.Second))
	}
	return perSecond, left
}

// text says it in one line.
func (p progress) text(perSecond int64, left time.Duration) string {
	text := fmt.Sprintf("moving replicas: %d of %d partitions done, %s of %s copied", p.done, p.partitions, bytesText(p.copied), bytesText(p.bytes))
	switch {
	case p.bytes > p.copied && perSecond > 0:
		text += fmt.Sprintf(", %s per second, about %s left", bytesText(perSecond), rounded(left))
	case p.bytes > p.copied:
		text += ", nothing at the moment"
	}
	return text
}
