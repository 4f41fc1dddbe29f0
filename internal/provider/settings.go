// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/kafka-layout/terraform-provider-kafka/internal/configset"
	"github.com/kafka-layout/terraform-provider-kafka/internal/kafkaapi"
	"github.com/kafka-layout/terraform-provider-kafka/internal/resources/entityconfig"
)

// The names of the attributes.
const (
	attrBootstrapServers = "bootstrap_servers"
	attrClusterID        = "cluster_id"
	attrClientID         = "client_id"
	attrRequestTimeout   = "request_timeout"
	attrPlanValidation   = "plan_validation"
	attrUnmanagedKeys    = "unmanaged_keys"
)

const (
	defaultClientID       = "terraform-provider-kafka"
	defaultRequestTimeout = 30 * time.Second
)

var planValidations = []string{string(entityconfig.ValidationError), string(entityconfig.ValidationWarn), string(entityconfig.ValidationOff)}

// settings are what the block and the environment come to.
type settings struct {
	client         kafkaapi.Options
	planValidation entityconfig.PlanValidation
	unmanagedKeys  configset.Globs
	// offline says which attribute that a connection needs is not known yet; empty where all are.
	offline string
}

// settingsOf puts the block and the environment together.
func settingsOf(ctx context.Context, m model, env environment) (settings, diag.Diagnostics) {
	var diags diag.Diagnostics
	s := settings{planValidation: entityconfig.ValidationError, client: kafkaapi.Options{ClientID: defaultClientID, RequestTimeout: defaultRequestTimeout}}

	servers := from(attrBootstrapServers, m.BootstrapServers, m.BootstrapServers.Elements(), env)
	cluster := from(attrClusterID, m.ClusterID, nil, env)
	client := from(attrClientID, m.ClientID, nil, env)
	timeout := from(attrRequestTimeout, m.RequestTimeout, nil, env)
	validation := from(attrPlanValidation, m.PlanValidation, nil, env)
	unmanaged := from(attrUnmanagedKeys, m.UnmanagedKeys, m.UnmanagedKeys.Elements(), env)

	doors := doorsOf(m, env)
	for _, attribute := range append([]source{servers, cluster, client, timeout, validation, unmanaged}, doors.all()...) {
		if attribute.unknown {
			s.offline = offlineSentence(attribute.attribute)
			return s, diags
		}
	}

	s.client.BootstrapServers = servers.list()
	if len(s.client.BootstrapServers) == 0 {
		diags.AddAttributeError(path.Root(attrBootstrapServers), "No bootstrap servers",
			"Set bootstrap_servers in the provider block, or the environment variable KAFKA_BOOTSTRAP_SERVERS, to addresses of brokers such as kafka-1:9092.")
	}
	for _, server := range s.client.BootstrapServers {
		if err := checkAddress(server); err != nil {
			diags.Append(servers.invalid(err))
		}
	}
	s.client.ClusterID = cluster.text()
	if text := client.text(); text != "" {
		s.client.ClientID = text
	}
	if text := timeout.text(); text != "" {
		parsed, err := parseDuration(text)
		if err != nil {
			diags.Append(timeout.invalid(err))
		}
		s.client.RequestTimeout = parsed
	}
	if text := validation.text(); text != "" {
		if !slices.Contains(planValidations, text) {
			diags.Append(validation.invalid(fmt.Errorf("%q is not one of %s", text, strings.Join(planValidations, ", "))))
		}
		s.planValidation = entityconfig.PlanValidation(text)
	}
	diags.Append(doors.configure(ctx, &s.client)...)
	s.unmanagedKeys = unmanaged.list()
	for _, pattern := range s.unmanagedKeys {
		if err := configset.CheckGlob(pattern); err != nil {
			diags.Append(unmanaged.invalid(err))
		}
	}
	return s, diags
}

// offlineSentence says why nothing can be asked of the cluster. The environment is not read instead: it may name another cluster.
func offlineSentence(attribute string) string {
	return fmt.Sprintf("The provider's %s is not known yet, as it comes from a resource that is still to be created, so the cluster cannot be asked. "+
		"Apply that resource first (terraform apply -target), or give %s a value that is known at plan.", attribute, attribute)
}
