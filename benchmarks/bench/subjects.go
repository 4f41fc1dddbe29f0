// SPDX-License-Identifier: MPL-2.0

package main

import (
	"fmt"
	"slices"
	"strings"
)

// Names of subjects.
const (
	topicsByCount = "topic configs"
	topicsByKey   = "topic configs, for_each"
	brokers       = "broker configs"
	layouts       = "assignments"
)

// subjectNames are all of them.
func subjectNames() []string { return []string{topicsByCount, topicsByKey, brokers, layouts} }

// subject is a kind of resource, and the way it is written, that the course is gone through with.
type subject struct {
	name string
	// resources declares them; var.edition is what the commands change.
	resources string
	// own are the configs that the first edition of each topic's resource declares, where a course can be seeded.
	own map[string]string
	// fixed: their number does not depend on the size, as there are as many as brokers.
	fixed bool
}

// topicConfigs differ only in how Terraform is told of them.
const topicConfigs = `
resource "kafka_topic_config" "t" {
  %s
  topic  = %s
  config = { "cleanup.policy" = "delete", "retention.ms" = tostring(604800000 + var.edition), "min.insync.replicas" = "1", "segment.bytes" = "1073741824" }
}
`

// topicConfigsOwn are the same, as the brokers have them with the first edition.
var topicConfigsOwn = map[string]string{
	"cleanup.policy": "delete", "retention.ms": "604800000", "min.insync.replicas": "1", "segment.bytes": "1073741824",
}

// Each of the three brokers has a set, and so has the cluster default.
const brokerConfigs = `
resource "kafka_broker_config" "b" {
  count     = 3
  broker_id = count.index + 1
  config    = { "log.cleaner.threads" = tostring(1 + var.edition % 2), "log.cleaner.io.max.bytes.per.second" = "1.0E9" }
}
resource "kafka_broker_config" "default" {
  cluster_default = true
  config          = { "log.retention.ms" = tostring(604800000 + var.edition) }
}
`

// One partition of each topic has one replica, which each edition puts on another broker.
const assignments = `
resource "kafka_topic_assignment" "t" {
  count      = var.size
  topic      = format("bench-%05d", count.index)
  assignment = { "0" = [(count.index + var.edition) % 3 + 1] }
}
`

// subjectsOf gives the subjects with these names.
func subjectsOf(names []string) ([]subject, error) {
	known := []subject{
		{name: topicsByCount, own: topicConfigsOwn, resources: fmt.Sprintf(topicConfigs, "count  = var.size", `format("bench-%05d", count.index)`)},
		{name: topicsByKey, resources: fmt.Sprintf(topicConfigs, `for_each = toset([for i in range(var.size) : format("bench-%05d", i)])`, "each.key")},
		{name: brokers, resources: brokerConfigs, fixed: true},
		{name: layouts, resources: assignments},
	}
	var wanted []subject
	for _, name := range names {
		i := slices.IndexFunc(known, func(s subject) bool { return s.name == strings.TrimSpace(name) })
		if i < 0 {
			return nil, fmt.Errorf("nothing is known of %q", name)
		}
		wanted = append(wanted, known[i])
	}
	return wanted, nil
}
