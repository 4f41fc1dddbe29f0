import {
  to = kafka_broker_config.one
  identity = {
    broker = "1"
  }
}
