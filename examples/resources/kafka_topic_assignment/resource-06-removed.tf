# Stop managing a topic's layout. The topic stays as it is; a plain destroy would send nothing either.
removed {
  from = kafka_topic_assignment.former

  lifecycle {
    destroy = false
  }
}
