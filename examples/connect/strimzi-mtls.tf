terraform {
  required_providers {
    kafka = { source = "kafka-layout/kafka" }
  }
}

provider "kafka" {
  bootstrap_servers = ["my-cluster-kafka-bootstrap.kafka.svc:9093"]

  tls = {
    ca_certificate     = var.cluster_ca # ca.crt of the Secret my-cluster-cluster-ca-cert
    client_certificate = var.user_crt   # user.crt of the Secret that is named as the KafkaUser
    client_key         = var.user_key   # user.key of it
  }
}

variable "cluster_ca" {
  type = string
}

variable "user_crt" {
  type = string
}

variable "user_key" {
  type      = string
  sensitive = true
  ephemeral = true
}
