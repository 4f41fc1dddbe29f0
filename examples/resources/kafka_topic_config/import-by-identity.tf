import {
  to = kafka_topic_config.orders
  identity = {
    topic = "orders"
  }
}
