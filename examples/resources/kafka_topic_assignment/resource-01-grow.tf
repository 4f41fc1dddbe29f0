# State what is needed, and replicas are placed over racks and brokers, moving as little as possible. Raise a number, and
# read in the plan what it costs: 12 partitions of three replicas each.
resource "kafka_topic_assignment" "orders" {
  topic              = "orders"
  partitions         = 12
  replication_factor = 3
}
