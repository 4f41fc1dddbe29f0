# In place of the resource: Terraform forgets it, and the configs stay as they are.
removed {
  from = kafka_broker_config.default

  lifecycle {
    destroy = false
  }
}
