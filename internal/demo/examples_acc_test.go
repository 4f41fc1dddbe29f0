// SPDX-License-Identifier: MPL-2.0

package main

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	acctest "github.com/kafka-layout/terraform-provider-kafka/internal/acctest/cli"
	"github.com/kafka-layout/terraform-provider-kafka/internal/testbed"
)

// The examples of the documentation, from the root of the repository. TestAccDemo_story applies those in examples/demo.
const (
	providerExample = "examples/provider/provider.tf"
	topicExamples   = "examples/resources/kafka_topic_config/"
)

// applied are the examples that one configuration can have all at once.
var applied = []string{
	topicExamples + "resource-01-basic.tf", topicExamples + "resource-02-many-topics.tf", topicExamples + "resource-03-sensitive.tf",
	topicExamples + "resource-04-unmanaged-keys.tf",
}

const (
	removedExample   = topicExamples + "resource-05-removed.tf"
	importCommand    = topicExamples + "import.sh"
	importByID       = topicExamples + "import-by-string-id.tf"
	importByIdentity = topicExamples + "import-by-identity.tf"
)

// TestExamplesAreAllApplied finds an example of the topics' configs that somebody added and no test applies. Examples of other
// resources, which would change what other tests see, are validated.
func TestExamplesAreAllApplied(t *testing.T) {
	tested := append([]string{removedExample, importCommand, importByID, importByIdentity}, applied...)
	found, err := filepath.Glob(filepath.Join(root, topicExamples, "*"))
	for i := range found {
		found[i] = filepath.ToSlash(strings.TrimPrefix(found[i], root+"/"))
	}
	slices.Sort(found)
	slices.Sort(tested)
	if err != nil || !slices.Equal(found, tested) {
		t.Errorf("the examples are %v (%v), tested are %v", found, err, tested)
	}
}

// TestAccExamples_validate validates the examples of each resource, all in one configuration, but for removed blocks: they stand in
// place of a resource.
func TestAccExamples_validate(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(root, "examples/resources/*/resource*.tf"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no examples: %v", err)
	}
	workspaces := map[string]*acctest.Workspace{}
	for _, file := range files {
		name := strings.TrimPrefix(file, root+"/")
		kind := filepath.Base(filepath.Dir(file))
		text := exampleText(t, name)
		if strings.Contains(text, "removed {") {
			kind += ", removed"
		}
		if workspaces[kind] == nil {
			workspaces[kind] = exampleWorkspace(t)
		}
		workspaces[kind].Write(filepath.Base(file), text)
	}
	for _, kind := range slices.Sorted(maps.Keys(workspaces)) {
		t.Log(kind)
		workspaces[kind].Run("validate").Succeeds()
	}
}

// TestAccExamples_connect validates the provider block for each kind of cluster, each in a configuration of its own.
func TestAccExamples_connect(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(root, "examples/connect/*.tf"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no examples: %v", err)
	}
	page := exampleText(t, "docs/guides/connect.md")
	for _, file := range files {
		name := strings.TrimPrefix(filepath.ToSlash(file), filepath.ToSlash(root)+"/")
		if text := exampleText(t, name); !strings.Contains(page, strings.TrimSpace(text)) {
			t.Errorf("the guide does not show %s", name)
		}
		w := acctest.New(t)
		w.Write("main.tf", exampleText(t, name))
		w.Run("validate").Succeeds()
	}
}

// exampleText reads a file of the repository.
func exampleText(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// exampleWorkspace has the examples and a provider block that leads to the shared cluster.
func exampleWorkspace(t *testing.T, examples ...string) *acctest.Workspace {
	t.Helper()
	w := acctest.New(t)
	w.Write("provider.tf", acctest.ProviderBlock(testbed.Shared(t).BootstrapServers()))
	for _, name := range examples {
		w.Write(filepath.Base(name), exampleText(t, name))
	}
	return w
}

func TestAccExamples_provider(t *testing.T) {
	w := acctest.New(t)
	w.Write("provider.tf", exampleText(t, providerExample))
	w.Run("validate").Succeeds()
}

// TestAccExamples_resources applies what the documentation of the resource shows, on topics that carry other configs.
func TestAccExamples_resources(t *testing.T) {
	cluster := testbed.Shared(t)
	before := configs{
		"orders": {"segment.ms": "3600000"}, "billing.invoices": {}, "billing.reminders": {"retention.ms": "1000"}, "web.clicks": {"segment.ms": "3600000"},
		"contracts": {}, "mirrored": {"message.timestamp.type": "LogAppendTime", "delete.retention.ms": "1000", "segment.ms": "3600000"},
	}
	for _, topic := range slices.Sorted(maps.Keys(before)) {
		cluster.CreateTopic(t, topic, 1, 3, before[topic])
	}
	o := outsiderOn(t, cluster)
	if err := o.awaitShown(t.Context(), before); err != nil {
		t.Fatal(err)
	}

	w := exampleWorkspace(t, applied...)
	w.Run("apply", "-auto-approve").Succeeds()
	want := configs{
		"orders":            {"cleanup.policy": "compact", "min.insync.replicas": "2"},
		"billing.invoices":  {"retention.ms": "31536000000"},
		"billing.reminders": {"retention.ms": "604800000", "max.message.bytes": "2097152"},
		"web.clicks":        {},
		"contracts":         {"min.insync.replicas": "2", "max.message.bytes": "2097152", "retention.ms": "7776000000"},
		"mirrored":          {"retention.ms": "604800000", "message.timestamp.type": "LogAppendTime", "delete.retention.ms": "1000"},
	}
	if err := o.shown(t.Context(), want); err != nil {
		t.Error(err)
	}
	w.Run("plan", "-detailed-exitcode").Exits(acctest.NoChanges)
}

// TestAccExamples_imports imports the topic of the first example in every way that the documentation shows.
func TestAccExamples_imports(t *testing.T) {
	cluster := testbed.Shared(t)
	topic := testbed.UniqueName(t)
	cluster.CreateTopic(t, topic, 1, 3, map[string]string{"cleanup.policy": "compact", "min.insync.replicas": "2"})
	// The examples call it "orders".
	named := strings.NewReplacer(`= "orders"`, "= "+strconv.Quote(topic))

	t.Run("block with an id", func(t *testing.T) {
		w := exampleWorkspace(t)
		w.Write("main.tf", named.Replace(exampleText(t, applied[0])+exampleText(t, importByID)))
		w.Run("apply", "-auto-approve").Succeeds().Says("1 imported, 0 added, 0 changed")
	})
	t.Run("command", func(t *testing.T) {
		w := exampleWorkspace(t)
		w.Write("main.tf", named.Replace(exampleText(t, applied[0])))
		lines := strings.Split(strings.TrimSpace(exampleText(t, importCommand)), "\n")
		command := strings.Fields(lines[len(lines)-1])
		if page := exampleText(t, "docs/resources/topic_config.md"); !strings.Contains(page, "\n"+lines[len(lines)-1]+"\n") {
			t.Errorf("the documentation does not show the command of %s", importCommand)
		}
		if len(command) != 4 || command[0] != "terraform" || command[3] != "orders" {
			t.Fatalf("the last line is not: terraform import ADDRESS orders, but %q", command)
		}
		w.Run(append(command[1:3], topic)...).Succeeds()
		w.Run("plan", "-detailed-exitcode").Exits(acctest.NoChanges)
	})
	t.Run("block with an identity", func(t *testing.T) {
		w := exampleWorkspace(t)
		if !knowsIdentity(t, w) {
			t.Skip("import by identity needs Terraform 1.12 or later")
		}
		w.Write("main.tf", named.Replace(exampleText(t, applied[0])+exampleText(t, importByIdentity)))
		w.Run("apply", "-auto-approve").Succeeds().Says("1 imported, 0 added, 0 changed")
	})
}

func knowsIdentity(t *testing.T, w *acctest.Workspace) bool {
	t.Helper()
	var told struct {
		Version string `json:"terraform_version"`
	}
	if err := json.Unmarshal([]byte(w.Run("version", "-json").Succeeds().Stdout), &told); err != nil {
		t.Fatal(err)
	}
	parts := strings.Split(told.Version, ".")
	minor, err := strconv.Atoi(parts[1])
	if err != nil {
		t.Fatal(err)
	}
	return parts[0] != "1" || minor >= 12
}

// TestAccExamples_removed takes a resource out of the configuration as the documentation says: the topic keeps its configs.
func TestAccExamples_removed(t *testing.T) {
	cluster := testbed.Shared(t)
	topic := testbed.UniqueName(t)
	cluster.CreateTopic(t, topic, 1, 3, nil)
	o := outsiderOn(t, cluster)

	w := exampleWorkspace(t)
	w.Write("main.tf", "resource \"kafka_topic_config\" \"former\" {\n  topic = \""+topic+"\"\n  config = { \"retention.ms\" = \"604800000\" }\n}\n")
	w.Run("apply", "-auto-approve").Succeeds()
	w.Write("main.tf", exampleText(t, removedExample))
	w.Run("apply", "-auto-approve").Succeeds()
	if err := o.shown(t.Context(), configs{topic: {"retention.ms": "604800000"}}); err != nil {
		t.Error(err)
	}
	if left := w.State(); len(left) != 0 {
		t.Errorf("state still has %v", left)
	}
}

func outsiderOn(t *testing.T, cluster *testbed.Cluster) *outsider {
	t.Helper()
	o, err := newOutsider(cluster.BootstrapServers())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(o.close)
	return o
}
