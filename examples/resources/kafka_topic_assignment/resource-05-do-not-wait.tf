# Start a large move and do not wait for it. While it runs, plans show no change; when it is done, the next apply makes the first
# replicas leaders.
resource "kafka_topic_assignment" "archive" {
  topic               = "archive"
  replication_factor  = 2
  wait_for_completion = false

  # The plan refuses what looks like a slip. This topic may well have fewer replicas than its min.insync.replicas.
  skip_checks = ["min_insync_replicas"]
}
