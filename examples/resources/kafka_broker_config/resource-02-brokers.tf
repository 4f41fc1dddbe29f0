variable "connections" {
  description = "How many connections each broker takes, by its id."
  type        = map(number)
  default     = { "1" = 2000, "2" = 2000, "3" = 4000 }
}

resource "kafka_broker_config" "each" {
  for_each  = var.connections
  broker_id = tonumber(each.key)

  config = {
    "max.connections" = tostring(each.value)
  }
}
