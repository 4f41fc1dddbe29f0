import {
  to = kafka_broker_config.default
  id = "default"
}
