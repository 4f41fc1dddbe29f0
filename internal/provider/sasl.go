// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"github.com/hashicorp/terraform-plugin-framework-validators/listvalidator"
	"github.com/hashicorp/terraform-plugin-framework-validators/stringvalidator"
	"github.com/hashicorp/terraform-plugin-framework/provider/schema"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/kafka-layout/terraform-provider-kafka/internal/kafkaapi"
)

const (
	attrSASL = "sasl"
	// mechanismMSK is OAUTHBEARER to brokers, with tokens of its own.
	mechanismMSK = "AWS_MSK_IAM"
	plain        = string(kafkaapi.MechanismPlain)
	scramSHA256  = string(kafkaapi.MechanismScramSHA256)
	scramSHA512  = string(kafkaapi.MechanismScramSHA512)
	oauthBearer  = string(kafkaapi.MechanismOAuthBearer)
	gssapi       = string(kafkaapi.MechanismGSSAPI)
)

var mechanisms = []string{plain, scramSHA256, scramSHA512, oauthBearer, mechanismMSK, gssapi}

func saslAttribute() schema.SingleNestedAttribute {
	return schema.SingleNestedAttribute{
		Optional:            true,
		MarkdownDescription: "Authenticates connections. Environment where it is absent: `KAFKA_SASL_MECHANISM` switches it on.",
		Attributes: map[string]schema.Attribute{
			"mechanism": schema.StringAttribute{
				Optional:   true,
				Validators: []validator.String{stringvalidator.OneOf(mechanisms...)},
				MarkdownDescription: "`PLAIN`, `SCRAM-SHA-256`, `SCRAM-SHA-512`, `OAUTHBEARER`, `AWS_MSK_IAM` (which needs `tls`) or `GSSAPI`. It is required here or in " +
					"`KAFKA_SASL_MECHANISM`. An option that the mechanism does not use is an error.",
			},
			"username":    textAttribute("The user of `PLAIN` and `SCRAM`. Environment: `KAFKA_SASL_USERNAME`."),
			"password":    secretAttribute("The password of `PLAIN` and `SCRAM`. Environment: `KAFKA_SASL_PASSWORD`."),
			"oauthbearer": oauthBearerAttribute(),
			"aws_msk_iam": mskAttribute(),
			"gssapi":      gssapiAttribute(),
		},
	}
}

func oauthBearerAttribute() schema.SingleNestedAttribute {
	return schema.SingleNestedAttribute{
		Optional:            true,
		MarkdownDescription: "The options of `OAUTHBEARER`: a token, or what one is asked for with (the client credentials grant).",
		Attributes: map[string]schema.Attribute{
			"token": secretAttribute("A token as it is. It is not renewed. Environment: `KAFKA_SASL_OAUTHBEARER_TOKEN`."),
			"token_url": schema.StringAttribute{
				Optional:   true,
				Validators: []validator.String{tokenURL{}},
				MarkdownDescription: "The `http` or `https` address of the authorization server's token endpoint. Its certificate is checked against the system's authorities and those of " +
					"`tls.ca_certificate`. Tokens are renewed before they expire. Environment: `KAFKA_SASL_OAUTHBEARER_TOKEN_URL`.",
			},
			"client_id":     textAttribute("The client's id at the authorization server. Environment: `KAFKA_SASL_OAUTHBEARER_CLIENT_ID`."),
			"client_secret": secretAttribute("The client's secret there. Environment: `KAFKA_SASL_OAUTHBEARER_CLIENT_SECRET`."),
			"scopes": schema.ListAttribute{
				ElementType:         types.StringType,
				Optional:            true,
				Validators:          []validator.List{listvalidator.ValueStringsAre(stringvalidator.LengthAtLeast(1))},
				MarkdownDescription: "The scopes to ask for. Environment: `KAFKA_SASL_OAUTHBEARER_SCOPES`, separated by commas. Default: none.",
			},
			"extensions": schema.MapAttribute{
				ElementType: types.StringType,
				Optional:    true,
				MarkdownDescription: "SASL extensions that are sent to brokers beside the token, such as `logicalCluster`. " +
					"Environment: `KAFKA_SASL_OAUTHBEARER_EXTENSIONS`, as `k=v,k=v`. Default: none.",
			},
		},
	}
}

func mskAttribute() schema.SingleNestedAttribute {
	return schema.SingleNestedAttribute{
		Optional: true,
		MarkdownDescription: "The options of `AWS_MSK_IAM`. Credentials come from AWS's standard chain: environment, shared files, web identity, container or instance. " +
			"Without `role_arn` no further role is assumed.",
		Attributes: map[string]schema.Attribute{
			"region": textAttribute("The region of the cluster. Environment: `KAFKA_SASL_AWS_MSK_IAM_REGION`. Default: `AWS_REGION`, `AWS_DEFAULT_REGION`, or the profile's."),
			"profile": textAttribute("The profile in AWS's shared files whose credentials are used. Environment: `KAFKA_SASL_AWS_MSK_IAM_PROFILE`. " +
				"Default: `AWS_PROFILE`, or the standard chain."),
			"role_arn": textAttribute("A role to assume with these credentials. Environment: `KAFKA_SASL_AWS_MSK_IAM_ROLE_ARN`. Default: none."),
		},
	}
}

func gssapiAttribute() schema.SingleNestedAttribute {
	return schema.SingleNestedAttribute{
		Optional: true,
		MarkdownDescription: "The options of `GSSAPI` (Kerberos). Tickets come with a key table, with a password, or else from the ticket cache that `kinit` fills " +
			"(`KRB5CCNAME`, or `/tmp/krb5cc_` and the user's number).",
		Attributes: map[string]schema.Attribute{
			"service_name": textAttribute("The first part of the brokers' principals, as in `kafka/host@REALM`. Environment: `KAFKA_SASL_GSSAPI_SERVICE_NAME`. Default: `kafka`."),
			"realm":        textAttribute("The realm of the user. Environment: `KAFKA_SASL_GSSAPI_REALM`."),
			"keytab_path":  textAttribute("The path of a key table with the user's keys. Environment: `KAFKA_SASL_GSSAPI_KEYTAB_PATH`."),
			"krb5_config_path": textAttribute("The path of Kerberos's own configuration. Environment: `KAFKA_SASL_GSSAPI_KRB5_CONFIG_PATH`. " +
				"Default: `KRB5_CONFIG`, or `/etc/krb5.conf`."),
			"username": textAttribute("The user, without the realm. Environment: `KAFKA_SASL_GSSAPI_USERNAME`."),
			"password": secretAttribute("The user's password. Environment: `KAFKA_SASL_GSSAPI_PASSWORD`."),
		},
	}
}
