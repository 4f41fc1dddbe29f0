terraform {
  required_providers {
    kafka = { source = "kafka-layout/kafka" }
  }
}

provider "kafka" {
  bootstrap_servers = ["my-cluster-kafka-bootstrap.kafka.svc:9093"]

  tls = {
    ca_certificate = var.cluster_ca # ca.crt of the Secret my-cluster-cluster-ca-cert
  }

  sasl = {
    mechanism = "SCRAM-SHA-512"
    username  = "terraform" # the name of the KafkaUser
    password  = var.kafka_password
  }
}

variable "cluster_ca" {
  type = string
}

variable "kafka_password" {
  type      = string
  sensitive = true
  ephemeral = true
}
