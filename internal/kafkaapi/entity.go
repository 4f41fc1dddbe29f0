// SPDX-License-Identifier: MPL-2.0

package kafkaapi

import (
	"fmt"
	"strconv"
)

// EntityType is Kafka's config resource type; the numbers are those of the wire.
type EntityType int8

// The entity types that carry configs (KIP-133; CLIENT_METRICS is KIP-714, GROUP KIP-848).
const (
	EntityTopic         EntityType = 2
	EntityBroker        EntityType = 4
	EntityClientMetrics EntityType = 16
	EntityGroup         EntityType = 32
)

// Entity names one thing that carries configs. It is comparable: one Entity, one owner, one lock.
type Entity struct {
	Type EntityType
	// Name is the topic's name or the broker's id in decimal. For EntityBroker the empty name is the cluster-wide default.
	Name string
}

// Topic is the entity of the topic with this name.
func Topic(name string) Entity { return Entity{Type: EntityTopic, Name: name} }

// BrokerEntity is the entity of one broker's own dynamic configs.
func BrokerEntity(id int32) Entity {
	return Entity{Type: EntityBroker, Name: strconv.FormatInt(int64(id), 10)}
}

// ClusterDefault is the entity of the dynamic configs that every broker inherits.
func ClusterDefault() Entity { return Entity{Type: EntityBroker} }

// String is how messages name the entity: `topic "orders"`, `broker 1`, `the cluster default`.
func (e Entity) String() string {
	switch {
	case e.Type == EntityTopic:
		return fmt.Sprintf("topic %q", e.Name)
	case e.Type == EntityBroker && e.Name == "":
		return "the cluster default"
	case e.Type == EntityBroker:
		return "broker " + e.Name
	case e.Type == EntityClientMetrics:
		return fmt.Sprintf("client metrics subscription %q", e.Name)
	case e.Type == EntityGroup:
		return fmt.Sprintf("group %q", e.Name)
	default:
		return fmt.Sprintf("entity of type %d %q", e.Type, e.Name)
	}
}

// BrokerID gives the id of a single broker's entity; ok is false for every other entity, the cluster default included.
func (e Entity) BrokerID() (id int32, ok bool) {
	if e.Type != EntityBroker || e.Name == "" {
		return 0, false
	}
	n, err := strconv.ParseInt(e.Name, 10, 32)
	return int32(n), err == nil
}
