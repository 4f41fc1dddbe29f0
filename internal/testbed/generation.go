// SPDX-License-Identifier: MPL-2.0

package testbed

import (
	"fmt"
	"strconv"
	"strings"
)

// Mode is how brokers find each other.
type Mode string

// The modes. ZooKeeper ended with Kafka 3.9; what the test bed needs of KRaft is there from 3.7 on.
const (
	KRaft     Mode = "kraft"
	ZooKeeper Mode = "zookeeper"
)

// generation is what differs between Kafka's major versions in how a server is run.
type generation struct {
	pom       string // the Maven project of its jars, in testbed/
	logConfig string // the set-up of its logging library, in testbed/
	logFlag   string // the JVM's flag, up to the path of logConfig
}

var generations = map[int]generation{
	2: {"pom-2.xml", "log4j.properties", "-Dlog4j.configuration=file:"},
	3: {"pom-3.xml", "log4j.properties", "-Dlog4j.configuration=file:"},
	4: {"pom.xml", "log4j2.yaml", "-Dlog4j2.configurationFile="},
}

// generationOf gives the newest generation that a version is not older than; it has been checked by checkVersion.
func generationOf(version string) generation {
	major, _, _ := parseVersion(version)
	return generations[min(major, 4)]
}

// parseVersion reads the major and minor number of a version.
func parseVersion(version string) (major, minor int, ok bool) {
	first, rest, _ := strings.Cut(version, ".")
	second, _, _ := strings.Cut(rest, ".")
	major, majorErr := strconv.Atoi(first)
	minor, minorErr := strconv.Atoi(second)
	return major, minor, majorErr == nil && minorErr == nil
}

// checkVersion refuses versions that the test bed cannot run in the mode.
func (o Options) checkVersion() error {
	major, minor, ok := parseVersion(o.Version)
	switch {
	case !ok || major < 2:
		return fmt.Errorf("the test bed runs Kafka 2.0 and later, not %q", o.Version)
	case o.Mode == KRaft && (major < 3 || major == 3 && minor < 7):
		return fmt.Errorf("the test bed runs Kafka %s with Options.Mode %q only: it has no KRaft, or no entry point for containers yet", o.Version, ZooKeeper)
	case o.Mode == ZooKeeper && major >= 4:
		return fmt.Errorf("the test bed cannot run Kafka %s with Options.Mode %q: Kafka 4.0 dropped it", o.Version, ZooKeeper)
	case o.Mode == ZooKeeper && o.SeparateControllers:
		return fmt.Errorf("with Options.Mode %q one of the brokers is the controller, and none is separate", ZooKeeper)
	case o.Mode == ZooKeeper && o.Authorizer:
		return fmt.Errorf("Options.Authorizer is that of KRaft, and Options.Mode is %q", ZooKeeper)
	case o.Mode != KRaft && o.Mode != ZooKeeper:
		return fmt.Errorf("the test bed has no Options.Mode %q, only %q and %q", o.Mode, KRaft, ZooKeeper)
	}
	return nil
}
