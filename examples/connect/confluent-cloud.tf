terraform {
  required_providers {
    kafka = { source = "kafka-layout/kafka" }
  }
}

provider "kafka" {
  bootstrap_servers = ["pkc-abc12.eu-west-1.aws.confluent.cloud:9092"]
  unmanaged_keys    = ["confluent.*"]
  tls               = {}

  sasl = {
    mechanism = "PLAIN"
    username  = var.api_key
    password  = var.api_secret
  }
}

variable "api_key" {
  type      = string
  sensitive = true
  ephemeral = true
}

variable "api_secret" {
  type      = string
  sensitive = true
  ephemeral = true
}
