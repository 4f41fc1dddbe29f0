// SPDX-License-Identifier: MPL-2.0

// Command terraform-provider-kafka is the Terraform provider for Kafka configs and topic layout.
package main

import (
	"context"
	"flag"
	"log"

	"github.com/hashicorp/terraform-plugin-framework/providerserver"

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
	err := providerserver.Serve(context.Background(), provider.New(version), providerserver.ServeOpts{
		Address: "registry.terraform.io/kafka-layout/kafka",
		Debug:   *debug,
	})
	if err != nil {
		log.Fatal(err)
	}
}
