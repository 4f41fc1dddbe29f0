# The topic has exactly these configs of its own. Everything else it inherits from the brokers.
resource "kafka_topic_config" "orders" {
  topic = "orders"

  config = {
    "cleanup.policy"      = "compact"
    "min.insync.replicas" = "2"
  }
}
