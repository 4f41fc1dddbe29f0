# SPDX-License-Identifier: MPL-2.0
# The id is the name of the topic.
terraform import kafka_topic_assignment.orders orders
