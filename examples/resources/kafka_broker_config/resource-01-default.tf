# What every broker inherits unless it has a value of its own.
resource "kafka_broker_config" "default" {
  cluster_default = true

  config = {
    "log.retention.ms"       = "259200000"
    "log.cleaner.threads"    = "2"
    "message.max.bytes"      = "1048588"
    "log.cleaner.backoff.ms" = "15000"
  }
}
