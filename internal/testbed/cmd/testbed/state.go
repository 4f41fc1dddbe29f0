// SPDX-License-Identifier: MPL-2.0

package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/kafka-layout/terraform-provider-kafka/internal/testbed"
)

// envStateDir is the directory for the state of the cluster that up starts; by default one in the user's cache directory.
const envStateDir = "TESTBED_STATE_DIR"

// state is what is known about the cluster that up started.
type state struct {
	Pid              int              `json:"pid"` // of the process that holds the cluster
	Version          string           `json:"version"`
	ClusterID        string           `json:"cluster_id"`
	BootstrapServers []string         `json:"bootstrap_servers"`
	Brokers          []testbed.Broker `json:"brokers"`
	Logs             map[int]string   `json:"logs"` // directories, keyed by broker id
}

func (s state) export() string {
	return "export KAFKA_BOOTSTRAP_SERVERS=" + strings.Join(s.BootstrapServers, ",")
}

// stateDir makes sure that the directory of the state is there.
func stateDir() (string, error) {
	dir := os.Getenv(envStateDir)
	if dir == "" {
		cache, err := os.UserCacheDir()
		if err != nil {
			return "", fmt.Errorf("no place for the state; set %s: %w", envStateDir, err)
		}
		dir = filepath.Join(cache, "terraform-provider-kafka", "testbed", "up")
	}
	return dir, os.MkdirAll(dir, 0o700)
}

// tryLock takes the lock that the process which holds the cluster has for as long as it lives. A pid alone would not tell: the system
// may have given it to another process since.
func tryLock(dir string) (release func(), taken bool, err error) {
	f, err := os.OpenFile(filepath.Join(dir, "lock"), os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, false, err
	}
	err = syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if err == nil {
		return func() { _ = f.Close() }, true, nil
	}
	_ = f.Close()
	if errors.Is(err, syscall.EWOULDBLOCK) {
		return nil, false, nil
	}
	return nil, false, err
}

// readState returns the state of the cluster that runs; running is false if there is none.
func readState(dir string) (s state, running bool, err error) {
	release, free, err := tryLock(dir)
	if err != nil {
		return s, false, err
	}
	if free {
		release()
		return s, false, nil
	}
	content, err := os.ReadFile(filepath.Join(dir, "state.json"))
	if errors.Is(err, fs.ErrNotExist) {
		return s, true, errors.New("the cluster is just starting or stopping")
	}
	if err != nil {
		return s, true, err
	}
	return s, true, json.Unmarshal(content, &s)
}

// writeState puts the state in place in one step, so that nobody reads half of it.
func writeState(dir string, s state) error {
	content, err := json.MarshalIndent(s, "", "  ")
	if err != nil {
		return err
	}
	temporary := filepath.Join(dir, "state.json.new")
	if err := os.WriteFile(temporary, content, 0o600); err != nil {
		return err
	}
	return os.Rename(temporary, filepath.Join(dir, "state.json"))
}
