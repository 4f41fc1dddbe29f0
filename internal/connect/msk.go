// SPDX-License-Identifier: MPL-2.0

package connect

import (
	"context"
	"errors"
	"fmt"

	"github.com/aws/aws-msk-iam-sasl-signer-go/signer"
	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/config"
	"github.com/aws/aws-sdk-go-v2/credentials/stscreds"
	"github.com/aws/aws-sdk-go-v2/service/sts"

	"github.com/kafka-layout/terraform-provider-kafka/internal/kafkaapi"
)

// MSKIAM are the settings of IAM authentication at Amazon MSK. Empty is what AWS's standard chain of credentials finds.
type MSKIAM struct {
	Region, Profile, RoleARN string
}

// Source gives tokens that are signed with the credentials of the standard chain, or with those of the role where RoleARN is set: a
// role that only the environment names is never assumed beyond what the chain itself does in a pod (C-109). It reads the shared
// configuration files and connects to nothing. Errors are *SettingError.
func (m MSKIAM) Source(ctx context.Context) (kafkaapi.TokenSource, error) {
	var options []func(*config.LoadOptions) error
	if m.Region != "" {
		options = append(options, config.WithRegion(m.Region))
	}
	if m.Profile != "" {
		options = append(options, config.WithSharedConfigProfile(m.Profile))
	}
	loaded, err := config.LoadDefaultConfig(ctx, options...)
	if err != nil {
		return nil, &SettingError{"profile", fmt.Errorf("AWS's configuration cannot be loaded: %w", err)}
	}
	if loaded.Region == "" {
		return nil, &SettingError{"region", errors.New("it is missing, and neither AWS_REGION, AWS_DEFAULT_REGION nor the profile names one")}
	}
	source := mskTokens{region: loaded.Region, credentials: loaded.Credentials}
	if m.RoleARN != "" {
		source.credentials = aws.NewCredentialsCache(stscreds.NewAssumeRoleProvider(sts.NewFromConfig(loaded), m.RoleARN, func(o *stscreds.AssumeRoleOptions) {
			o.RoleSessionName = "terraform-provider-kafka"
		}))
	}
	return source, nil
}

type mskTokens struct {
	region      string
	credentials aws.CredentialsProvider
}

// Token signs a token, which brokers take for a quarter of an hour. Signing is computed here; credentials may have to be fetched.
func (m mskTokens) Token(ctx context.Context) (kafkaapi.Token, error) {
	token, _, err := signer.GenerateAuthTokenFromCredentialsProvider(ctx, m.region, m.credentials)
	if err != nil {
		if ctx.Err() != nil {
			return kafkaapi.Token{}, context.Cause(ctx)
		}
		return kafkaapi.Token{}, fmt.Errorf("AWS gives no credentials to sign with: %w", err)
	}
	return kafkaapi.Token{Value: token}, nil
}
