// SPDX-License-Identifier: MPL-2.0

// Command terraform-provider-kafka is the Terraform provider for Kafka configs and topic layout.
package main

import (
	"flag"
	"log"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6/tf6server"

	"github.com/kafka-layout/terraform-provider-kafka/internal/provider"
)

// Set by the release build through -ldflags.
var (
	version = "dev"
	commit  = ""
)

func main() {
	debug := flag.Bool("debug", false, "wait for a debugger and print TF_REATTACH_PROVIDERS")
	flag.Parse()

	if commit != "" {
		version += "+" + commit // build metadata, as semantic versioning writes it
	}
	if !*debug {
		provider.QuietSDKLogs()
	}
	var options []tf6server.ServeOpt
	if *debug {
		options = append(options, tf6server.WithManagedDebug())
	}
	if err := tf6server.Serve("registry.terraform.io/kafka-layout/kafka", provider.NewServer(version), options...); err != nil {
		log.Fatal(err)
	}
}
