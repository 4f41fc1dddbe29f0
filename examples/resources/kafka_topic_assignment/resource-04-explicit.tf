# State every replica: from the partition's number to broker ids, preferred leader first.
resource "kafka_topic_assignment" "audit" {
  topic = "audit"

  assignment = {
    0 = [1, 2, 3]
    1 = [2, 3, 1]
    2 = [3, 1, 2]
  }
}
