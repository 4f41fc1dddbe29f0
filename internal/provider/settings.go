// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

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

// environment looks variables up; a test gives its own look-up.
type environment struct {
	lookup func(name string) (string, bool)
}

// get looks a variable up by its name.
func (e environment) get(name string) (string, bool) {
	if e.lookup == nil {
		return os.LookupEnv(name)
	}
	return e.lookup(name)
}

// of gives the variable of an attribute: KAFKA_ and its path in upper case with _ between. Blanks around it do not count, and an empty variable
// is as good as none.
func (e environment) of(attribute string) (variable, value string) {
	variable = "KAFKA_" + strings.ToUpper(strings.ReplaceAll(attribute, ".", "_"))
	value, _ = e.get(variable)
	return variable, strings.TrimSpace(value)
}

// source is where one attribute's value comes from.
type source struct {
	// attribute is its path with dots: sasl.username.
	attribute string
	// variable is the environment variable that gave the value, empty where the block did.
	variable string
	texts    []string
	unknown  bool
}

// from decides for one attribute: the block where it has the attribute, known or not, otherwise the environment.
func from(attribute string, value attr.Value, elements []attr.Value, env environment) source {
	s := source{attribute: attribute}
	switch {
	case value.IsUnknown() || slices.ContainsFunc(elements, attr.Value.IsUnknown):
		s.unknown = true
	case !value.IsNull():
		if elements == nil {
			elements = []attr.Value{value}
		}
		for _, element := range elements {
			if text, ok := element.(types.String); ok && !text.IsNull() {
				s.texts = append(s.texts, text.ValueString())
			}
		}
	default:
		if variable, text := env.of(attribute); text != "" {
			s.variable = variable
			s.texts = []string{text}
		}
	}
	return s
}

func (s source) text() string {
	if len(s.texts) == 0 {
		return ""
	}
	return s.texts[0]
}

// list splits a variable at its commas.
func (s source) list() []string {
	if s.variable == "" {
		return s.texts
	}
	var items []string
	for item := range strings.SplitSeq(s.text(), ",") {
		if item = strings.TrimSpace(item); item != "" {
			items = append(items, item)
		}
	}
	return items
}

// where names what gave the value, for messages.
func (s source) where() string {
	if s.variable != "" {
		return "the environment variable " + s.variable
	}
	return "the attribute " + s.attribute
}

// at is the attribute's path.
func (s source) at() path.Path { return pathOf(s.attribute) }

func pathOf(attribute string) path.Path {
	names := strings.Split(attribute, ".")
	p := path.Root(names[0])
	for _, name := range names[1:] {
		p = p.AtName(name)
	}
	return p
}

// invalid is the error for a value that came through the environment, which no validator of the schema has seen.
func (s source) invalid(err error) diag.Diagnostic {
	return diag.NewAttributeErrorDiagnostic(s.at(), "Invalid "+s.attribute+" of the provider",
		fmt.Sprintf("The value of %s cannot be used: %v.", s.where(), err))
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
