variable "keystore_password" {
  description = "The password of the key store of the EXTERNAL listener."
  type        = string
  ephemeral   = true
}

resource "kafka_broker_config" "tls" {
  broker_id = 1

  config = {
    "listener.name.external.ssl.keystore.location" = "/etc/kafka/secrets/external.p12"
    "listener.name.external.ssl.keystore.type"     = "PKCS12"
  }

  # Neither in plans nor in state. A new password is written when the version is raised.
  sensitive_config_wo = {
    "listener.name.external.ssl.keystore.password" = var.keystore_password
  }
  sensitive_config_wo_version = 1

  # A new certificate under the same path: the key-store configs are sent again, and the broker reloads the file.
  reload_trigger = "certificate of 2026-11"
}
