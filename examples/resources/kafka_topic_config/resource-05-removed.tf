# Stop managing a topic and leave its configs as they are: delete the resource from the configuration and write this instead.
# To go on from another resource name without any change on the topic, use a moved block.
removed {
  from = kafka_topic_config.former

  lifecycle {
    destroy = false
  }
}
