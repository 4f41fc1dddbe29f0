# Many topics from one variable. A map scales better in Terraform than a set of names.
variable "topics" {
  description = "The configs of each topic, keyed by the name of the topic."
  type        = map(map(string))

  default = {
    "billing.invoices"  = { "retention.ms" = "31536000000" }
    "billing.reminders" = { "retention.ms" = "604800000", "max.message.bytes" = "2097152" }
    "web.clicks"        = {} # managed, and without configs of its own
  }
}

resource "kafka_topic_config" "topic" {
  for_each = var.topics

  topic  = each.key
  config = each.value
}
