// SPDX-License-Identifier: MPL-2.0

package resources

import (
	"context"
	"fmt"
	"regexp"

	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
)

var legalTopicName = regexp.MustCompile(`^[a-zA-Z0-9._-]{1,249}$`)

// CheckTopicName gives an error with Kafka's rule for a name that no topic can have (org.apache.kafka.common.internals.Topic).
func CheckTopicName(name string) error {
	if !legalTopicName.MatchString(name) || name == "." || name == ".." {
		return fmt.Errorf("%q is no name of a topic: Kafka takes 1 to 249 of the characters a-z, A-Z, 0-9, '.', '_' and '-', and neither \".\" nor \"..\"", name)
	}
	return nil
}

// TopicNameValidator validates an attribute that names a topic.
func TopicNameValidator() validator.String { return topicName{} }

type topicName struct{}

func (topicName) Description(context.Context) string { return "value must be a legal topic name" }

func (t topicName) MarkdownDescription(ctx context.Context) string { return t.Description(ctx) }

func (topicName) ValidateString(_ context.Context, req validator.StringRequest, resp *validator.StringResponse) {
	if req.ConfigValue.IsNull() || req.ConfigValue.IsUnknown() {
		return
	}
	if err := CheckTopicName(req.ConfigValue.ValueString()); err != nil {
		resp.Diagnostics.AddAttributeError(req.Path, "Illegal topic name", err.Error()+".")
	}
}
