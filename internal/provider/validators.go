// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"context"
	"fmt"
	"net"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
)

// checkAddress wants host:port.
func checkAddress(text string) error {
	host, port, err := net.SplitHostPort(text)
	if err != nil || host == "" || strings.ContainsFunc(host, unicode.IsSpace) {
		return fmt.Errorf("%q is not host:port, such as kafka-1:9092", text)
	}
	if n, err := strconv.Atoi(port); err != nil || n < 1 || n > 65535 {
		return fmt.Errorf("%q has no port between 1 and 65535", text)
	}
	return nil
}

// longestDuration is beyond anybody's patience, and well below what multiples of a duration and Kafka's 32-bit milliseconds hold.
const longestDuration = 24 * time.Hour

// parseDuration wants a positive Go duration of a day at most.
func parseDuration(text string) (time.Duration, error) {
	d, err := time.ParseDuration(text)
	if err != nil || d <= 0 {
		return 0, fmt.Errorf("%q is not a positive duration, such as 30s or 1m30s", text)
	}
	if d > longestDuration {
		return 0, fmt.Errorf("%q is longer than 24h", text)
	}
	return d, nil
}

// address validates host:port.
type address struct{}

func (address) Description(context.Context) string { return "value must be host:port" }

func (a address) MarkdownDescription(ctx context.Context) string { return a.Description(ctx) }

func (address) ValidateString(_ context.Context, req validator.StringRequest, resp *validator.StringResponse) {
	if req.ConfigValue.IsUnknown() {
		return
	}
	if err := checkAddress(req.ConfigValue.ValueString()); err != nil {
		resp.Diagnostics.AddAttributeError(req.Path, "Invalid address of a bootstrap server", "The value cannot be used: "+err.Error()+".")
	}
}

// duration validates positive Go durations.
type duration struct{}

func (duration) Description(context.Context) string {
	return "value must be a positive Go duration of at most 24h"
}

func (d duration) MarkdownDescription(ctx context.Context) string { return d.Description(ctx) }

func (duration) ValidateString(_ context.Context, req validator.StringRequest, resp *validator.StringResponse) {
	if req.ConfigValue.IsNull() || req.ConfigValue.IsUnknown() {
		return
	}
	if _, err := parseDuration(req.ConfigValue.ValueString()); err != nil {
		resp.Diagnostics.AddAttributeError(req.Path, "Invalid duration", "The value cannot be used: "+err.Error()+".")
	}
}
