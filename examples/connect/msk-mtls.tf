terraform {
  required_providers {
    kafka = { source = "kafka-layout/kafka" }
  }
}

provider "kafka" {
  bootstrap_servers = ["b-1.demo.abcde1.c2.kafka.eu-north-1.amazonaws.com:9094"]

  tls = {
    client_certificate = "terraform.pem"
    client_key         = "terraform.key"
  }
}
