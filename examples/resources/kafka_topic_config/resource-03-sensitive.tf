# Values that plans and logs must not show. Kafka's own topic configs are no secrets, so this is for rules of your house.
variable "contract_retention_ms" {
  description = "How long records are kept, as agreed with a customer, in milliseconds."
  type        = string
  ephemeral   = true
  default     = "7776000000"
}

resource "kafka_topic_config" "contracts" {
  topic = "contracts"

  config = {
    "min.insync.replicas" = "2"
  }

  # In state, flagged as sensitive; compared and refreshed like the others.
  sensitive_config = {
    "max.message.bytes" = "2097152"
  }

  # Neither in plan nor in state. A new value is written when the version changes.
  sensitive_config_wo = {
    "retention.ms" = var.contract_retention_ms
  }
  sensitive_config_wo_version = 1
}
