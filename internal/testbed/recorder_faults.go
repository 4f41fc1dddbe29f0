// SPDX-License-Identifier: MPL-2.0

package testbed

import (
	"errors"
	"fmt"
	"slices"

	"github.com/twmb/franz-go/pkg/kmsg"
)

var errLost = errors.New("the answer is lost on purpose")

type verdictKind int

const (
	forward verdictKind = iota
	closeConnection
	noAnswer
	loseAnswer
	ownAnswer
)

// Verdict is what becomes of a request.
type Verdict struct {
	kind     verdictKind
	response kmsg.Response
	edit     func(kmsg.Response)
}

func (v Verdict) forwards() bool { return v.kind == forward || v.kind == loseAnswer }

// Forward passes the request and its answer on. It is the zero Verdict.
func Forward() Verdict { return Verdict{} }

// CloseConnection closes the client's connection; the broker never sees the request.
func CloseConnection() Verdict { return Verdict{kind: closeConnection} }

// NoAnswer leaves the client waiting, for this answer and all later ones of the connection; the broker never sees the request.
func NoAnswer() Verdict { return Verdict{kind: noAnswer} }

// LoseAnswer has the broker carry the request out and closes the client's connection in place of the answer.
func LoseAnswer() Verdict { return Verdict{kind: loseAnswer} }

// Answer answers in the broker's place, which never sees the request. The response is of the request's ResponseKind.
func Answer(response kmsg.Response) Verdict { return Verdict{kind: ownAnswer, response: response} }

// EditAnswer has the broker carry the request out and changes its answer, for example to another error code.
func EditAnswer(edit func(kmsg.Response)) Verdict { return Verdict{edit: edit} }

type interceptor struct {
	judge func(Request) Verdict
}

// Intercept has a function judge every request from now on, until stop is called. It may be called from several goroutines at once.
// Of several functions the one that came last is asked first; the first verdict that is not [Forward] counts.
func (r *Recorder) Intercept(judge func(Request) Verdict) (stop func()) {
	r.mu.Lock()
	defer r.mu.Unlock()
	added := &interceptor{judge: judge}
	r.intercepts = append(r.intercepts, added)
	return func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.intercepts = slices.DeleteFunc(r.intercepts, func(i *interceptor) bool { return i == added })
	}
}

// Next has a verdict apply to the next request with an API key, and only to it.
func (r *Recorder) Next(key int16, verdict Verdict) {
	used := make(chan struct{}, 1)
	used <- struct{}{}
	r.Intercept(func(q Request) Verdict {
		if q.Key != key {
			return Forward()
		}
		select {
		case <-used:
			return verdict
		default:
			return Forward()
		}
	})
}

// judge decides what becomes of a request to a broker.
func (r *Recorder) judge(p *brokerProxy, q Request) Verdict {
	if p.isHung() {
		return NoAnswer()
	}
	r.mu.Lock()
	judges := slices.Clone(r.intercepts)
	r.mu.Unlock()
	for _, i := range slices.Backward(judges) {
		if v := i.judge(q); v.kind != forward || v.edit != nil {
			return v
		}
	}
	return Forward()
}

// Hang has the proxy of a broker accept connections and requests and answer none, from now on.
func (r *Recorder) Hang(broker int) error {
	p, err := r.existing(broker)
	if err != nil {
		return err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.hung = true
	return nil
}

// Refuse closes all connections to a broker and has the system refuse new ones, as if the broker did not run.
func (r *Recorder) Refuse(broker int) error {
	p, err := r.existing(broker)
	if err != nil {
		return err
	}
	p.refuse()
	return nil
}

// Heal ends [Recorder.Hang] and [Recorder.Refuse]. Connections that wait for an answer are closed.
func (r *Recorder) Heal(broker int) error {
	p, err := r.existing(broker)
	if err != nil {
		return err
	}
	p.mu.Lock()
	wasHung := p.hung
	p.hung = false
	if wasHung {
		for c := range p.connections {
			c.close()
		}
	}
	p.mu.Unlock()
	return p.listen()
}

func (r *Recorder) existing(broker int) (*brokerProxy, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if p, ok := r.proxies[broker]; ok {
		return p, nil
	}
	return nil, fmt.Errorf("the recorder has no broker %d", broker)
}
