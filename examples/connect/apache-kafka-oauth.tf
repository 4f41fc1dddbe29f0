terraform {
  required_providers {
    kafka = { source = "kafka-layout/kafka" }
  }
}

provider "kafka" {
  bootstrap_servers = ["kafka-1.example.com:9095"]
  tls               = {}

  sasl = {
    mechanism = "OAUTHBEARER"
    oauthbearer = {
      token_url     = "https://login.example.com/realms/kafka/protocol/openid-connect/token"
      client_id     = "terraform"
      client_secret = var.client_secret
      scopes        = ["kafka"]
    }
  }
}

variable "client_secret" {
  type      = string
  sensitive = true
  ephemeral = true
}
