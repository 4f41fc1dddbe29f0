import {
  to = kafka_topic_config.orders
  id = "orders"
}
