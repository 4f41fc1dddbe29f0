terraform {
  required_providers {
    kafka = { source = "kafka-layout/kafka" }
  }
}

provider "kafka" {
  # The host is part of the brokers' principals: kafka/kafka-1.example.com@EXAMPLE.COM.
  bootstrap_servers = ["kafka-1.example.com:9096"]
  tls               = {}

  sasl = {
    mechanism = "GSSAPI"
    gssapi = {
      realm       = "EXAMPLE.COM"
      username    = "terraform"
      keytab_path = "/etc/security/keytabs/terraform.keytab"
    }
  }
}
