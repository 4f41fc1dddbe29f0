# Raise the replication factor, whatever the number of partitions is. New replicas go to the named brokers only, and each
# partition is on as many racks as these brokers have.
resource "kafka_topic_assignment" "payments" {
  topic              = "payments"
  replication_factor = 3

  placement = {
    brokers = [1, 2, 3, 4]
    racks   = "spread"
  }
}
