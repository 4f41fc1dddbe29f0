terraform {
  required_providers {
    kafka = { source = "kafka-layout/kafka" }
  }
}

provider "kafka" {
  bootstrap_servers = ["mynamespace.servicebus.windows.net:9093"]
  tls               = {}

  sasl = {
    mechanism = "PLAIN"
    username  = "$ConnectionString"
    password  = var.connection_string
  }
}

variable "connection_string" {
  type      = string
  sensitive = true
  ephemeral = true
}
