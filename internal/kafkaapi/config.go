// SPDX-License-Identifier: MPL-2.0

package kafkaapi

// Source tells where a config's effective value comes from; the numbers are those of DescribeConfigs v1 and later (KIP-226).
type Source int8

// The config sources.
const (
	SourceUnknown              Source = 0
	SourceDynamicTopic         Source = 1
	SourceDynamicBroker        Source = 2
	SourceDynamicDefaultBroker Source = 3
	SourceStaticBroker         Source = 4
	SourceDefault              Source = 5
	SourceDynamicBrokerLogger  Source = 6
	SourceClientMetrics        Source = 7
	SourceGroup                Source = 8
)

// ValueType is a config's type; the numbers are those of DescribeConfigs v3 and later (KIP-569, Kafka 2.6).
type ValueType int8

// The value types. Older brokers answer TypeUnknown for every config, newer ones for names they do not know.
const (
	TypeUnknown  ValueType = 0
	TypeBoolean  ValueType = 1
	TypeString   ValueType = 2
	TypeInt      ValueType = 3
	TypeShort    ValueType = 4
	TypeLong     ValueType = 5
	TypeDouble   ValueType = 6
	TypeList     ValueType = 7
	TypeClass    ValueType = 8
	TypePassword ValueType = 9
)

// Config is one config of an entity as a broker describes it.
type Config struct {
	Name string
	// Value is the effective value, in the broker's spelling; empty where Sensitive, as brokers never show such values.
	// The client library cannot tell a null value from an empty one; a null never occurs in an entity's own set.
	Value string
	// Stored is the text that the entity itself holds, where it holds the config. Of a broker's own configs the effective value is what the
	// broker made of it: parsed, and a reference to a config provider resolved. Where a broker does not tell it, it is Value.
	Stored    string
	Source    Source
	Type      ValueType
	Sensitive bool
	// ReadOnly is what the broker says. It decides nothing: brokers set it on keys that can be set.
	ReadOnly bool
	// Synonyms are the layers that the effective value was chosen from, first wins; only with ListConfigsOptions.Synonyms.
	Synonyms []Synonym
	// Documentation is Kafka's text; only with ListConfigsOptions.Documentation.
	Documentation string
}

// Synonym is one layer of a config: a name (a topic's retention.ms is a broker's log.retention.ms), its stored text and source.
type Synonym struct {
	Name   string
	Value  string
	Source Source
}

// EntityConfigs is the answer of ListConfigs for one entity: its configs, or why they could not be listed.
type EntityConfigs struct {
	Entity  Entity
	Configs []Config
	Err     error
}

// Own reports whether the entity itself holds the config, other than inheriting it: topic source 1, broker 2, cluster default 3.
// It is the only test of "is set"; a value that equals the default counts as set all the same.
func (e Entity) Own(c Config) bool {
	switch e.Type {
	case EntityTopic:
		return c.Source == SourceDynamicTopic
	case EntityBroker:
		if e.Name == "" {
			return c.Source == SourceDynamicDefaultBroker
		}
		return c.Source == SourceDynamicBroker
	case EntityClientMetrics:
		return c.Source == SourceClientMetrics
	case EntityGroup:
		return c.Source == SourceGroup
	default:
		return false
	}
}

// ListConfigsOptions widens what ListConfigs asks for. The zero value asks any suitable broker for names, values and sources.
type ListConfigsOptions struct {
	Synonyms      bool
	Documentation bool
	// Keys are the only configs that are wanted; none means all. A broker describes a thousand topics by one key in an eighth of the time that
	// all keys take. A name that the entity has no config of is left out of the answer, and more than was asked for may be in it.
	Keys []string
	// At, where not nil, is the id of the broker that must answer: its view is wanted, as after a write. Without it a named
	// broker's configs are asked of that broker and everything else of any broker.
	At *int32
}

// Alteration is one entity's change. Keys that neither Set nor Delete names stay as they are.
type Alteration struct {
	Entity Entity
	Set    map[string]string
	Delete []string
	// Keep holds known values of keys that stay, wanted only where the cluster offers no IncrementalAlterConfigs and the
	// complete set must be sent: brokers hide the values of sensitive keys, so they must come from the caller.
	Keep map[string]string
}

// AlterResult is the answer of AlterConfigs for one entity.
type AlterResult struct {
	Entity Entity
	Err    error
}

// NewTopic asks for a topic with the cluster's default partition count and replication factor and these configs.
type NewTopic struct {
	Name    string
	Configs map[string]string
}

// TopicDescription is what Metadata says of one topic.
type TopicDescription struct {
	Name string
	// ID is the topic's id in Kafka's own base64 spelling, empty before Kafka 2.8.
	ID string
	// Internal: Kafka keeps its own data in it, as in __consumer_offsets.
	Internal bool
	// Partitions are in order of their number.
	Partitions []PartitionDescription
	// Err is ErrUnknownTopic where the topic does not exist, or why it could not be described.
	Err error
}

// PartitionDescription is what Metadata says of one partition. During a reassignment Replicas is the union of old and new.
type PartitionDescription struct {
	Partition int32
	// Leader is -1 where there is none.
	Leader         int32
	Replicas       []int32
	InSyncReplicas []int32
}

// Broker is one live broker.
type Broker struct {
	ID int32
	// Address is host:port as advertised.
	Address string
	// Rack is empty where the broker has none.
	Rack string
}

// Cluster is what is known of the cluster as a whole.
type Cluster struct {
	ID string
	// ControllerID is what brokers report; with KRaft it is a random live broker, not the quorum's leader.
	ControllerID int32
	// Brokers are the live brokers in order of their ids.
	Brokers []Broker
}
