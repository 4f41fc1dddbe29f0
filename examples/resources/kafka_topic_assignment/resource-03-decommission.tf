# Take a broker out of service: what it holds of these topics goes to the others, and nothing else moves.
variable "brokers" {
  description = "The brokers of the cluster."
  type        = set(number)
  default     = [1, 2, 3, 4, 5]
}

variable "leaving" {
  description = "Brokers that are to be empty."
  type        = set(number)
  default     = [5]
}

variable "placed_topics" {
  description = "The topics that are placed, and how many replicas each partition has."
  type        = map(number)

  default = {
    "billing.invoices"  = 3
    "billing.reminders" = 3
    "web.clicks"        = 2
  }
}

resource "kafka_topic_assignment" "placed" {
  for_each = var.placed_topics

  topic              = each.key
  replication_factor = each.value

  placement = {
    brokers = setsubtract(var.brokers, var.leaving)
  }
}
