terraform {
  required_providers {
    kafka = { source = "kafka-layout/kafka" }
  }
}

provider "kafka" {
  bootstrap_servers = ["kafka-1.example.com:9094"]

  tls = {
    ca_certificate        = "/etc/kafka/ca.pem"
    client_certificate    = "/etc/kafka/terraform.pem"
    client_key            = "/etc/kafka/terraform.key"
    client_key_passphrase = var.key_passphrase
  }
}

variable "key_passphrase" {
  type      = string
  sensitive = true
  ephemeral = true
}
