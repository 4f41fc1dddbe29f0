// SPDX-License-Identifier: MPL-2.0

// Command releasecheck says whether a directory holds what the Terraform Registry takes for one release.
//
//	releasecheck [-zips N] DIRECTORY
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
)

func main() {
	zips := flag.Int("zips", 0, "how many zips there must be; 0: at least one")
	flag.Parse()
	if flag.NArg() != 1 {
		fmt.Fprintln(os.Stderr, "usage: releasecheck [-zips N] DIRECTORY")
		os.Exit(2)
	}
	r, err := check(flag.Arg(0))
	if err == nil && *zips > 0 && len(r.zips) != *zips {
		err = fmt.Errorf("%d zips, want %d", len(r.zips), *zips)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "releasecheck:", err)
		os.Exit(1)
	}
	fmt.Printf("release %s: %d zips, checksums and manifest as the Registry takes them\n", r.version, len(r.zips))
}

// check reads the directory and returns every fault joined into one error.
func check(dir string) (release, error) {
	r, err := read(dir)
	if err != nil {
		return r, err
	}
	faults := []error{r.checkSums(), r.checkManifest()}
	for _, zip := range r.zips {
		faults = append(faults, r.checkZip(zip))
	}
	return r, errors.Join(faults...)
}
