// SPDX-License-Identifier: MPL-2.0

package testbed

import (
	"fmt"
	"os"
	"path/filepath"
	"syscall"
	"time"
)

const (
	dirPrefix = "kafka-testbed-cluster-"
	ownerLock = "owner.lock"
	// keepLogs is how long the logs of a cluster that is gone are kept.
	keepLogs = 24 * time.Hour
)

// newClusterDir makes a cluster's directory, which this process owns until release, and removes what killed processes left.
func newClusterDir() (dir string, release func(), err error) {
	sweep()
	if dir, err = os.MkdirTemp("", dirPrefix); err != nil {
		return "", nil, err
	}
	release, err = lockFile(filepath.Join(dir, ownerLock))
	return dir, release, err
}

// sweep removes the data of clusters whose owner is gone, and the rest when their logs are old. It does what it can: another process
// may sweep at the same time, and other users' directories cannot be opened.
func sweep() {
	locks, _ := filepath.Glob(filepath.Join(os.TempDir(), dirPrefix+"*", ownerLock))
	for _, path := range locks {
		f, err := os.OpenFile(path, os.O_RDWR, 0)
		if err != nil {
			continue
		}
		if syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) == nil {
			dir := filepath.Dir(path)
			removeData(dir)
			if info, err := f.Stat(); err == nil && time.Since(info.ModTime()) > keepLogs {
				_ = os.RemoveAll(dir)
			}
		}
		_ = f.Close()
	}
}

// removeData removes the data of every node, and keeps the logs.
func removeData(dir string) {
	dirs, _ := filepath.Glob(filepath.Join(dir, "node-*", "data"))
	for _, data := range dirs {
		_ = os.RemoveAll(data)
	}
}

// cacheDir is where resolved class paths and compiled classes are kept between runs.
func cacheDir() (string, error) {
	base, err := os.UserCacheDir()
	if err != nil {
		base = filepath.Join(os.TempDir(), fmt.Sprintf("kafka-testbed-cache-%d", os.Getuid()))
	}
	dir := filepath.Join(base, "terraform-provider-kafka", "testbed")
	return dir, os.MkdirAll(dir, 0o755)
}

// lockFile waits for the exclusive lock of a file, which it creates if need be. The lock ends with unlock or with the process.
func lockFile(path string) (unlock func(), err error) {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, err
	}
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX); err != nil {
		_ = f.Close()
		return nil, fmt.Errorf("lock %s: %w", path, err)
	}
	return func() { _ = f.Close() }, nil
}
