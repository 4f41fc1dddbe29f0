terraform {
  required_providers {
    kafka = { source = "kafka-layout/kafka" }
  }
}

provider "kafka" {
  bootstrap_servers = ["b-1.demo.abcde1.c2.kafka.eu-north-1.amazonaws.com:9096"]
  tls               = {} # Amazon's certificates are known to the system

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
