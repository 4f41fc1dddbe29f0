# Three topics whose configs Terraform owns. `make demo` creates the topics on brokers of its own and applies this.
# The addresses of the brokers come from KAFKA_BOOTSTRAP_SERVERS.

terraform {
  required_version = ">= 1.11"

  required_providers {
    kafka = {
      source = "kafka-layout/kafka"
    }
  }
}

provider "kafka" {}

variable "topic_prefix" {
  description = "What the names of the topics begin with."
  type        = string
  default     = "demo."
}

variable "payments_retention_ms" {
  description = "How long records of payments are kept, in milliseconds."
  type        = string
  default     = "604800000" # 7 days
}

# The latest record of each order is kept for ever.
resource "kafka_topic_config" "orders" {
  topic = "${var.topic_prefix}orders"

  config = {
    "cleanup.policy"      = "compact"
    "min.insync.replicas" = "2"
  }
}

resource "kafka_topic_config" "payments" {
  topic = "${var.topic_prefix}payments"

  config = {
    "max.message.bytes"   = "2097152"
    "min.insync.replicas" = "2"
    "retention.ms"        = var.payments_retention_ms
  }
}

# Kept for a year, compressed by the brokers.
resource "kafka_topic_config" "audit" {
  topic = "${var.topic_prefix}audit"

  config = {
    "compression.type" = "zstd"
    "retention.ms"     = "31536000000"
  }
}
