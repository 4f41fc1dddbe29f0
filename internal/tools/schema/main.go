// SPDX-License-Identifier: MPL-2.0

// Command schema prints the provider's schemas as JSON: what the documentation is generated from, and the golden file
// that makes a schema change visible in a review.
package main

import (
	"context"
	"fmt"
	"os"

	"github.com/kafka-layout/terraform-provider-kafka/internal/provider"
	"github.com/kafka-layout/terraform-provider-kafka/internal/tools/schemajson"
)

func main() {
	server := provider.NewServer("schema")()
	if err := schemajson.Write(context.Background(), os.Stdout, "kafka", server); err != nil {
		fmt.Fprintln(os.Stderr, "schema:", err)
		os.Exit(1)
	}
}
