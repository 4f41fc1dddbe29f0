// SPDX-License-Identifier: MPL-2.0

package testbed

import (
	"fmt"
	"os"
	"path/filepath"
	"syscall"
)

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
