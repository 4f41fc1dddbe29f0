import {
  to = kafka_topic_assignment.orders
  identity = {
    topic = "orders"
  }
}
