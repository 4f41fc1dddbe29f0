terraform {
  required_providers {
    kafka = { source = "kafka-layout/kafka" }
  }
}

provider "kafka" {
  bootstrap_servers = ["b-1.demo.abcde1.c2.kafka.eu-north-1.amazonaws.com:9098"]
  tls               = {}

  sasl = {
    mechanism   = "AWS_MSK_IAM"
    aws_msk_iam = { region = "eu-north-1" } # profile and role_arn where needed
  }
}
