# A topic that another system also writes to: a mirroring tool sets the timestamp type and how long deletes are kept.
# Keys that match the patterns are neither shown nor touched. The keys that throttle a reassignment are left alone anyway.
resource "kafka_topic_config" "mirrored" {
  topic = "mirrored"

  config = {
    "retention.ms" = "604800000"
  }

  unmanaged_keys = ["message.timestamp.*", "delete.retention.ms"]
}
