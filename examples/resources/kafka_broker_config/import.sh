# SPDX-License-Identifier: MPL-2.0

# The configs of broker 1, and the cluster default.
terraform import kafka_broker_config.one 1
terraform import kafka_broker_config.default default
