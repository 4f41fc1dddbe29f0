terraform {
  required_providers {
    kafka = { source = "kafka-layout/kafka" }
  }
}

provider "kafka" {
  bootstrap_servers = ["kafka-1.example.com:9093", "kafka-2.example.com:9093"]

  tls = {
    ca_certificate = file("ca.pem")
  }

  sasl = {
    mechanism = "SCRAM-SHA-512"
    username  = "terraform"
    password  = var.kafka_password
  }
}

variable "kafka_password" {
  type      = string
  sensitive = true
  ephemeral = true
}
