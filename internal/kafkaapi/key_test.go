// SPDX-License-Identifier: MPL-2.0

package kafkaapi

import "testing"

func TestKeyNamed(t *testing.T) {
	tests := map[string]struct {
		message string
		keys    []string
		want    string
	}{
		"unknown key": {"Unknown topic config name: retention.mss", []string{"retention.ms", "retention.mss"}, "retention.mss"},
		"bad value": {"Invalid value 7d for configuration retention.ms: Not a number of type LONG",
			[]string{"local.retention.ms", "retention.ms"}, "retention.ms"},
		"bad value of the longer key": {"Invalid value 7d for configuration local.retention.ms: Not a number of type LONG",
			[]string{"retention.ms", "local.retention.ms"}, "local.retention.ms"},
		"a value that quotes another key": {"Invalid value flush.ms for configuration retention.ms: Not a number of type LONG",
			[]string{"flush.ms", "retention.ms"}, "retention.ms"},
		"its own name twice": {"Invalid value [abc] for configuration leader.replication.throttled.replicas: " +
			"leader.replication.throttled.replicas must be the literal '*' or a list of replicas",
			[]string{"leader.replication.throttled.replicas"}, "leader.replication.throttled.replicas"},
		"append": {"Can't APPEND to key flush.ms because its type is not LIST.", []string{"flush.ms"}, "flush.ms"},
		"append, old": {"Config value append is not allowed for config key: flush.ms", []string{"flush.messages", "flush.ms"},
			"flush.ms"},
		"not dynamic":             {"Cannot update these configs dynamically: [log.dirs]", []string{"log.dir", "log.dirs"}, "log.dirs"},
		"not dynamic, before 4.4": {"Cannot update these configs dynamically: Set(log.dirs)", []string{"log.dirs"}, "log.dirs"},
		"not dynamic, two keys": {"Cannot update these configs dynamically: [node.id, log.dirs]", []string{"log.dirs", "node.id"},
			"node.id"},
		"per listener": {"These security configs can be dynamically updated only per-listener using the listener prefix: " +
			"HashSet(ssl.keystore.location)", []string{"ssl.keystore.location"}, "ssl.keystore.location"},
		"per broker": {"Cannot update these configs at default cluster level, broker id must be specified: [listeners]",
			[]string{"listeners"}, "listeners"},
		"thread count": {"Invalid value org.apache.kafka.common.config.ConfigException: Dynamic thread count update validation " +
			"failed for num.io.threads=100, value should not be greater than double the current value 2 for configuration " +
			"Invalid dynamic configuration", []string{"num.network.threads", "num.io.threads"}, "num.io.threads"},
		"log cleaners": {"Invalid value org.apache.kafka.common.config.ConfigException: Log cleaner threads cannot be increased to more than double the " +
			"current value 1 for configuration Invalid dynamic configuration", []string{"log.cleaner.io.buffer.size", "log.cleaner.threads"}, "log.cleaner.threads"},
		"null": {"Null value not supported for : flush.ms", []string{"flush.ms"}, "flush.ms"},
		"conflict": {"conflict topic config setting min.compaction.lag.ms (100) > max.compaction.lag.ms (50)",
			[]string{"max.compaction.lag.ms", "min.compaction.lag.ms"}, "min.compaction.lag.ms"},
		"policy":            {"retention.ms is 9 days, at most 7 are allowed here.", []string{"retention.ms"}, "retention.ms"},
		"end of a sentence": {"The policy forbids retention.ms.", []string{"retention.ms"}, "retention.ms"},
		"before a comma":    {"The policy forbids retention.ms, and more", []string{"retention.ms"}, "retention.ms"},
		"ELR": {"Cluster-level min.insync.replicas cannot be removed while ELR is enabled.", []string{"min.insync.replicas"},
			"min.insync.replicas"},
		"a part of a name is none": {"The policy forbids local.retention.ms and retention.ms-x", []string{"retention.ms"}, ""},
		"group":                    {"consumer.session.timeout.ms must be in the range 45000 to 60000 inclusive.", []string{"consumer.session.timeout.ms"}, "consumer.session.timeout.ms"},
		"none named":               {"Tiered Storage functionality is disabled in the broker.", []string{"remote.storage.enable"}, ""},
		"none sent":                {"Unknown topic config name: x", nil, ""},
		"an empty key":             {"Unknown topic config name: ", []string{""}, ""},
		"no message":               {"", []string{"retention.ms"}, ""},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			if got := keyNamed(tt.message, tt.keys); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}
