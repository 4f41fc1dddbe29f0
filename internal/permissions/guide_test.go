// SPDX-License-Identifier: MPL-2.0

package permissions_test

import (
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
)

const guide = "../../templates/guides/permissions.md"

// The headings of the guide under which the sets stand.
const (
	planOnly  = "Plan only"
	apply     = "Apply"
	throttled = "Apply with a throttle"
)

// command is one call of kafka-acls.sh in the guide.
type command struct{ args []string }

// documented gives the commands of the guide by the heading and the resource that they stand under.
func documented(t testing.TB) map[string]map[string][]command {
	t.Helper()
	content, err := os.ReadFile(guide)
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]map[string][]command{}
	text := strings.ReplaceAll(string(content), "\\\n", " ")
	var heading, resource string
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		switch {
		case strings.HasPrefix(line, "## "):
			heading = strings.TrimPrefix(line, "## ")
			all[heading] = map[string][]command{}
		case strings.HasPrefix(line, "# kafka_"):
			resource = strings.TrimPrefix(line, "# ")
		case strings.HasPrefix(line, "kafka-acls.sh "):
			all[heading][resource] = append(all[heading][resource], command{strings.Fields(line)[1:]})
		}
	}
	return all
}

// camel finds the beginnings of words in an operation as kafka-acls.sh takes it.
var camel = regexp.MustCompile(`([a-z])([A-Z])`)

// acls are what a command grants, in Kafka's words, on the test's topic instead of the guide's.
func (c command) acls(t testing.TB, topic string) []string {
	t.Helper()
	var operations, acls []string
	on := ""
	for i, arg := range c.args {
		switch arg {
		case "--operation":
			operations = append(operations, strings.ToUpper(camel.ReplaceAllString(c.args[i+1], "${1}_${2}")))
		case "--topic":
			on = fmt.Sprintf("Topic %q", topic)
		case "--cluster":
			on = "Cluster"
		}
	}
	for _, operation := range operations {
		acls = append(acls, operation+" on "+on)
	}
	if len(acls) == 0 || on == "" {
		t.Fatalf("It grants nothing: %v", c.args)
	}
	return acls
}

// set is what the guide grants for a resource.
func set(t testing.TB, heading, resource, topic string) []string {
	t.Helper()
	var acls []string
	for _, c := range documented(t)[heading][resource] {
		acls = append(acls, c.acls(t, topic)...)
	}
	if len(acls) == 0 {
		t.Fatalf("The guide has no commands for %s under %q", resource, heading)
	}
	return acls
}

// Kafka's own tool takes the commands as they stand in the guide: those for an assignment have every option that the others have.
func TestGuideCommands(t *testing.T) {
	b := newBench(t)
	topic := b.cluster.UniqueTopic(t, 1, 1)
	for _, c := range documented(t)[apply][topicAssignment] {
		args := slices.Clone(c.args)
		for i := 1; i < len(args); i++ {
			switch args[i-1] {
			case "--bootstrap-server":
				args[i] = b.cluster.BootstrapServers()[0]
			case "--command-config":
				args[i] = os.DevNull // plain text, as which one may do everything here
			case "--allow-principal":
				args[i] = "User:" + b.user
			case "--topic":
				args[i] = topic
			}
		}
		if _, err := b.cluster.RunTool(t.Context(), "org.apache.kafka.tools.AclCommand", args...); err != nil {
			t.Fatal(err)
		}
		b.cluster.Revoke(t, b.user, c.acls(t, topic)...) // fails unless each was granted
	}
}
