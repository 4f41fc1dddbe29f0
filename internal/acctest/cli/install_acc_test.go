// SPDX-License-Identifier: MPL-2.0

package cli

import (
	"archive/zip"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/kafka-layout/terraform-provider-kafka/internal/testbed"
)

// Acceptance line 22: a release zip in a filesystem mirror is all that terraform init needs, and what it installs plans against
// real brokers. The zip is the one that a release build left in dist/, else one packed in the same way.
func TestAccInstallFromMirror(t *testing.T) {
	t.Parallel()
	w := Bare(t)
	cluster := testbed.Shared(t)
	topic := cluster.UniqueTopic(t, 1, 1)
	mirror := w.Path("mirror")
	version := mirrorRelease(t, mirror)
	w.ConfigureCLI(fmt.Sprintf("provider_installation {\n  filesystem_mirror {\n    path    = %q\n    include = [\"kafka-layout/*\"]\n  }\n}\n", filepath.ToSlash(mirror)))
	exact := fmt.Sprintf(`kafka = { source = "kafka-layout/kafka", version = "= %s" }`, version)
	configuration := strings.Replace(ProviderBlock(cluster.BootstrapServers()), `kafka = { source = "kafka-layout/kafka" }`, exact, 1)
	w.Write("main.tf", configuration+fmt.Sprintf("resource \"kafka_topic_config\" \"installed\" {\n  topic  = %q\n  config = { \"retention.ms\" = \"3600000\" }\n}\n", topic))

	w.Run("init").Succeeds().Says("Installed kafka-layout/kafka v"+version, "has been successfully initialized")
	w.Run("plan", "-detailed-exitcode").Exits(Changes).Says("Plan: 1 to add, 0 to change, 0 to destroy").SaysNot("overrides are in effect")

	w.Write("main.tf", strings.Replace(configuration, exact, `kafka = { source = "kafka-layout/kafka", version = "= 0.0.0" }`, 1))
	w.Run("init", "-upgrade").Exits(Failed).Says("no available releases match the given constraints 0.0.0")
}

// mirrorRelease puts a release zip for this platform into a filesystem mirror and returns the release's version.
func mirrorRelease(t *testing.T, mirror string) (version string) {
	t.Helper()
	root, err := Root(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	host := os.Getenv("TF_ACC_PROVIDER_HOST") // as terraform-plugin-testing has it, for OpenTofu
	if host == "" {
		host = "registry.terraform.io"
	}
	packed := filepath.Join(mirror, host, "kafka-layout", "kafka")
	if err := os.MkdirAll(packed, 0o755); err != nil {
		t.Fatal(err)
	}
	prefix, suffix := binaryName+"_", fmt.Sprintf("_%s_%s.zip", runtime.GOOS, runtime.GOARCH)
	released, err := filepath.Glob(filepath.Join(root, "dist", prefix+"*"+suffix))
	if err != nil {
		t.Fatal(err)
	}
	if len(released) == 0 {
		const packedHere = "0.0.1-packed"
		t.Log("dist/ has no release zip: the binary under test is packed as one")
		if err := pack(filepath.Join(packed, prefix+packedHere+suffix), Provider(t), binaryName+"_v"+packedHere); err != nil {
			t.Fatal(err)
		}
		return packedHere
	}
	name := filepath.Base(released[len(released)-1])
	t.Logf("The release zip is dist/%s", name)
	zipped, err := os.ReadFile(released[len(released)-1])
	if err == nil {
		err = os.WriteFile(filepath.Join(packed, name), zipped, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSuffix(strings.TrimPrefix(name, prefix), suffix)
}

// pack makes a zip with one executable, as the Registry takes it.
func pack(path, binary, name string) (err error) {
	target, err := os.Create(path)
	if err != nil {
		return err
	}
	defer func() {
		if closed := target.Close(); err == nil {
			err = closed
		}
	}()
	source, err := os.Open(binary)
	if err != nil {
		return err
	}
	defer func() { _ = source.Close() }()
	archive := zip.NewWriter(target)
	header := &zip.FileHeader{Name: name, Method: zip.Deflate}
	header.SetMode(0o755)
	entry, err := archive.CreateHeader(header)
	if err != nil {
		return err
	}
	if _, err := io.Copy(entry, source); err != nil {
		return err
	}
	return archive.Close()
}
