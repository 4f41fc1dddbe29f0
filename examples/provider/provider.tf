terraform {
  required_version = ">= 1.11"

  required_providers {
    kafka = {
      source = "kafka-layout/kafka"
    }
  }
}

provider "kafka" {
  bootstrap_servers = ["kafka-1.example.com:9092", "kafka-2.example.com:9092"]

  # Refuse to plan or apply on any other cluster.
  cluster_id = "5L6g3nShT-eMCtK--X86sw"

  # Keys that something else on this cluster sets on topics: no resource shows or touches them.
  unmanaged_keys = ["confluent.*"]
}
