import {
  to = kafka_topic_assignment.orders
  id = "orders"
}
