// SPDX-License-Identifier: MPL-2.0

// Command terraform prints the path of a Terraform (or OpenTofu) CLI for tests and the demo.
//
// In this order: TF_ACC_TERRAFORM_PATH, terraform on the PATH, the one an earlier call fetched, HashiCorp's release site
// (signature and checksum verified). Where none is to be had it prints one line that says what to install.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"time"

	"github.com/hashicorp/go-version"
	install "github.com/hashicorp/hc-install"
	"github.com/hashicorp/hc-install/fs"
	"github.com/hashicorp/hc-install/product"
	"github.com/hashicorp/hc-install/releases"
	"github.com/hashicorp/hc-install/src"
)

const (
	// fetchedVersion is the one that is fetched where none is installed: resource identity needs 1.12, list
	// resources and actions need 1.14.
	fetchedVersion = "1.14.0"

	// pathVariable is read by terraform-plugin-testing as well.
	pathVariable = "TF_ACC_TERRAFORM_PATH"

	fetchTimeout = 3 * time.Minute
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	path, err := find(ctx)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Println(path)
}

// find returns the absolute path of a CLI, fetching it if need be.
func find(ctx context.Context) (string, error) {
	if path := os.Getenv(pathVariable); path != "" {
		found, err := exec.LookPath(path)
		if err != nil {
			return "", fmt.Errorf("%s=%s is not an executable: %w", pathVariable, path, rootCause(err))
		}
		return filepath.Abs(found)
	}
	if path, err := exec.LookPath("terraform"); err == nil {
		return filepath.Abs(path)
	}
	path, err := fetch(ctx)
	if err != nil {
		return "", fmt.Errorf("terraform not found (and not fetched: %w): install Terraform 1.11 or later, or set %s", rootCause(err), pathVariable)
	}
	return path, nil
}

// fetch returns the pinned version's path in the user's cache directory, downloading it if it is not there.
func fetch(ctx context.Context) (string, error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	dir := filepath.Join(cache, "terraform-provider-kafka", "terraform-"+fetchedVersion)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", err
	}
	ctx, cancel := context.WithTimeout(ctx, fetchTimeout)
	defer cancel()
	exact := version.Must(version.NewVersion(fetchedVersion))
	return install.NewInstaller().Ensure(ctx, []src.Source{
		&fs.ExactVersion{Product: product.Terraform, Version: exact, ExtraPaths: []string{dir}},
		&releases.ExactVersion{Product: product.Terraform, Version: exact, InstallDir: dir},
	})
}

// rootCause is the innermost error, whose message is one line.
func rootCause(err error) error {
	for {
		inner := errors.Unwrap(err)
		if inner == nil {
			return err
		}
		err = inner
	}
}
