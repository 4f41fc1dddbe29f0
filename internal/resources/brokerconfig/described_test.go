// SPDX-License-Identifier: MPL-2.0

package brokerconfig

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/kafka-layout/terraform-provider-kafka/internal/configset"
	"github.com/kafka-layout/terraform-provider-kafka/internal/kafkaapi"
	"github.com/kafka-layout/terraform-provider-kafka/internal/resources/entityconfig"
)

// C-41: which names a broker knows, by what it describes, with types (from 2.6) and without.
func TestTypesOfWhatBrokersKnow(t *testing.T) {
	const unknown = configset.Type(-1)
	for name, tt := range map[string]struct {
		config kafkaapi.Config
		want   configset.Type
	}{
		"typed":                             {kafkaapi.Config{Type: kafkaapi.TypeLong, Source: kafkaapi.SourceDefault}, configset.Long},
		"a secret":                          {kafkaapi.Config{Type: kafkaapi.TypePassword, Sensitive: true, Source: kafkaapi.SourceDynamicBroker}, configset.Password},
		"stored and not known":              {kafkaapi.Config{Sensitive: true, Source: kafkaapi.SourceDynamicBroker}, unknown},
		"stored at the default":             {kafkaapi.Config{Sensitive: true, Source: kafkaapi.SourceDynamicDefaultBroker}, unknown},
		"of a plug-in in the broker's file": {kafkaapi.Config{Sensitive: true, Source: kafkaapi.SourceStaticBroker}, configset.Password},
		"before 2.6":                        {kafkaapi.Config{Source: kafkaapi.SourceDefault}, configset.Unknown},
		"before 2.6, set":                   {kafkaapi.Config{Source: kafkaapi.SourceDynamicBroker}, configset.Unknown},
		"before 2.6, a secret":              {kafkaapi.Config{Sensitive: true, Source: kafkaapi.SourceDefault}, configset.Password},
	} {
		tt.config.Name = "k"
		types := described{{Entity: kafkaapi.BrokerEntity(1), Configs: []kafkaapi.Config{tt.config}}}.types()
		got, known := types["k"]
		if known != (tt.want != unknown) || known && got != tt.want {
			t.Errorf("%s: %d, %t", name, got, known)
		}
	}
	// Old brokers hide throttle rates, which are no secrets.
	rate := kafkaapi.Config{Name: "leader.replication.throttled.rate", Sensitive: true, Source: kafkaapi.SourceDefault}
	types := described{{Configs: []kafkaapi.Config{rate}}}.types()
	if got, known := configset.BrokerKeyType(rate.Name, types); got != configset.Long || !known {
		t.Errorf("A throttle rate is of type %d", got)
	}
}

// C-36: an effective value that is not that of the topmost layer is named; hidden, equal by type and referenced ones are not.
func TestStaleValues(t *testing.T) {
	layers := func(stored string) []kafkaapi.Synonym {
		return []kafkaapi.Synonym{{Name: "k", Value: stored, Source: kafkaapi.SourceDynamicDefaultBroker}}
	}
	brokers := described{{Entity: kafkaapi.BrokerEntity(2), Configs: []kafkaapi.Config{
		{Name: "old", Value: "4", Type: kafkaapi.TypeInt, Synonyms: layers("16")},
		{Name: "spelled", Value: "16", Type: kafkaapi.TypeInt, Synonyms: layers(" 016")},
		{Name: "referenced", Value: "4", Type: kafkaapi.TypeInt, Synonyms: layers("${file:/f:k}")},
		{Name: "hidden", Sensitive: true, Synonyms: layers("")},
		{Name: "bare", Value: "4"},
		{Name: "other", Value: "4", Type: kafkaapi.TypeInt, Synonyms: layers("5")},
	}}}
	change := configset.Change{Set: map[string]string{"old": "16", "spelled": "16", "referenced": "1", "hidden": "x", "bare": "4"}, Delete: []string{"gone"}}
	stale := notInForce(change, brokers)
	if len(stale) != 1 || !strings.Contains(stale[0], "old: broker 2") {
		t.Errorf("%q", stale)
	}
	if warnNotInForce(kafkaapi.ClusterDefault(), nil) != nil || len(warnNotInForce(kafkaapi.ClusterDefault(), stale)) != 1 {
		t.Error("A warning where none is due, or none")
	}
}

// C-26: one spelling for each broker.
func TestParseID(t *testing.T) {
	for id, want := range map[string]kafkaapi.Entity{"0": kafkaapi.BrokerEntity(0), "2147483647": kafkaapi.BrokerEntity(2147483647), "default": kafkaapi.ClusterDefault()} {
		if got, err := parseID(id); err != nil || got != want {
			t.Errorf("%q: %v, %v", id, got, err)
		}
	}
	for _, id := range []string{"", "-1", "01", "+1", "1 ", "1.0", "2147483648", "Default", "\u0661"} {
		if got, err := parseID(id); err == nil || got != (kafkaapi.Entity{}) {
			t.Errorf("%q is %v", id, got)
		}
	}
}

// C-30, C-31: what is said of keys of the plain map, by plan_validation; of keys that stay or stand in another map nothing is said.
func TestJudgeKeys(t *testing.T) {
	brokers := described{{Entity: kafkaapi.BrokerEntity(1), Configs: []kafkaapi.Config{
		{Name: "num.io.threads", Type: kafkaapi.TypeInt}, {Name: "ssl.keystore.password", Type: kafkaapi.TypePassword, Sensitive: true}, {Name: "sasl.jaas.config", Type: kafkaapi.TypePassword, Sensitive: true},
	}}}
	for key, want := range map[string]map[entityconfig.PlanValidation]string{
		"num.io.threads":                                 {"error": "", "warn": "", "off": ""},
		"num.io.thread":                                  {"error": "Error", "warn": "Warning", "off": ""},
		"listener.name.a.ssl.keystore.password":          {"error": "Error", "warn": "Error", "off": "Error"},
		"listener.name.a.scram-sha-256.sasl.jaas.config": {"error": "Error", "warn": "Error", "off": "Error"},
		"listener.name.a.plain.ssl.keystore.password":    {"error": "Error", "warn": "Warning", "off": ""},
		"leader.replication.throttled.rate":              {"error": "", "warn": "", "off": ""},
		"listener.name.a.b.num.io.threads":               {"error": "Error", "warn": "Warning", "off": ""},
		"replica.alter.log.dirs.io.max.bytes.per.second": {"error": "", "warn": "", "off": ""},
	} {
		for _, validation := range slices.Sorted(maps.Keys(want)) {
			planned := entityconfig.Planned{Entity: kafkaapi.BrokerEntity(1), Plain: []string{key}, Refusals: validation}
			severity := ""
			for _, d := range judgeKeys(planned, brokers) {
				severity += d.Severity().String()
			}
			if severity != want[validation] {
				t.Errorf("%s, %s: %q, want %q", key, validation, severity, want[validation])
			}
		}
	}
	if diags := judgeKeys(entityconfig.Planned{Entity: kafkaapi.BrokerEntity(1), Change: configset.Change{Set: map[string]string{"x.y": "1"}}, Refusals: "error"}, brokers); len(diags) != 0 {
		t.Errorf("%v", diags)
	}
}
