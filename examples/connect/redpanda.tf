terraform {
  required_providers {
    kafka = { source = "kafka-layout/kafka" }
  }
}

provider "kafka" {
  bootstrap_servers = ["seed-abcdef12.c34567.fmc.prd.cloud.redpanda.com:9092"]
  tls               = {}

  sasl = {
    mechanism = "SCRAM-SHA-256"
    username  = "terraform"
    password  = var.kafka_password
  }
}

variable "kafka_password" {
  type      = string
  sensitive = true
  ephemeral = true
}
