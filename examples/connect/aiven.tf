terraform {
  required_providers {
    kafka = { source = "kafka-layout/kafka" }
  }
}

provider "kafka" {
  bootstrap_servers = ["kafka-demo.a.aivencloud.com:12345"]

  tls = {
    ca_certificate = "ca.pem" # the project's, from the service's overview
  }

  sasl = {
    mechanism = "SCRAM-SHA-256"
    username  = "avnadmin"
    password  = var.kafka_password
  }
}

variable "kafka_password" {
  type      = string
  sensitive = true
  ephemeral = true
}
