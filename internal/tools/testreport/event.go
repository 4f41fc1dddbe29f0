// SPDX-License-Identifier: MPL-2.0

package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
)

// event is one line of `go test -json`; see `go doc test2json`, and `go help buildjson` for the build- actions.
type event struct {
	Action      string
	Package     string
	Test        string
	Elapsed     float64 // seconds
	Output      string
	FailedBuild string // in a package's fail: the import path that did not build
	ImportPath  string // in build-output and build-fail
}

// Actions that only this program makes or that end something.
const (
	actionPlain       = "plain" // a line that is not JSON: somebody else's output on the same stream
	actionPass        = "pass"
	actionFail        = "fail"
	actionSkip        = "skip"
	actionRun         = "run"
	actionOutput      = "output"
	actionBuildOutput = "build-output"
)

// readEvents calls add for each line of r, of any length.
func readEvents(r io.Reader, add func(event)) error {
	lines := bufio.NewReader(r)
	for {
		line, err := lines.ReadBytes('\n')
		if len(line) > 0 {
			add(parseEvent(line))
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

func parseEvent(line []byte) event {
	var e event
	if bytes.HasPrefix(line, []byte("{")) && json.Unmarshal(line, &e) == nil && e.Action != "" {
		return e
	}
	return event{Action: actionPlain, Output: string(line)}
}
