// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"context"
	"errors"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/provider"

	"github.com/kafka-layout/terraform-provider-kafka/internal/connect"
	"github.com/kafka-layout/terraform-provider-kafka/internal/kafkaapi"
)

var _ provider.ProviderWithValidateConfig = (*kafkaProvider)(nil)

// doors are the attributes that say how connections are secured.
type doors struct {
	env  environment
	tls  tlsSources
	sasl saslSources
}

func doorsOf(m model, env environment) doors {
	return doors{
		env:  env,
		tls:  tlsSourcesOf(block{name: attrTLS, value: m.TLS, env: env}),
		sasl: saslSourcesOf(block{name: attrSASL, value: m.SASL, env: env}),
	}
}

func (d doors) all() []source { return append(d.tls.all(), d.sasl.all()...) }

// ValidateConfig refuses what cannot work whatever else is known later.
func (p *kafkaProvider) ValidateConfig(ctx context.Context, req provider.ValidateConfigRequest, resp *provider.ValidateConfigResponse) {
	var m model
	resp.Diagnostics.Append(req.Config.Get(ctx, &m)...)
	if resp.Diagnostics.HasError() {
		return
	}
	d := doorsOf(m, environment{})
	d.tls.check(&resp.Diagnostics)
	d.sasl.check(&resp.Diagnostics)
	if !d.tls.block.written() && d.tls.enabled.text() == "" && d.sasl.mechanism.written() && d.sasl.mechanism.text() == mechanismMSK {
		resp.Diagnostics.Append(needsTLS(d.sasl.mechanism))
	}
}

// configure reads the files and makes what the client needs. All values are known.
func (d doors) configure(ctx context.Context, client *kafkaapi.Options) (diags diag.Diagnostics) {
	d.tls.check(&diags)
	d.sasl.check(&diags)
	isOn := d.tls.on(&diags)
	settings := d.tls.settings(&diags)
	if isOn && !diags.HasError() {
		config, err := settings.Config()
		if err != nil {
			diags.Append(settingError(err, d.tls.block))
			return diags
		}
		client.TLS = config
	}
	if d.sasl.on(&diags) && !diags.HasError() {
		client.SASL = d.sasl.configure(ctx, d.env, isOn, settings, &diags)
	}
	dialer, err := connect.BrokerDialer(d.env.get)
	if err != nil {
		diags.AddError("Invalid proxy", "Brokers cannot be connected to: "+err.Error()+".")
	}
	client.Dialer = dialer
	return diags
}

// settingError stands at the attribute, and names the variable where the value is of one.
func settingError(err error, b block) diag.Diagnostic {
	var failed *connect.SettingError
	if !errors.As(err, &failed) {
		return b.whole().invalid(err)
	}
	return b.leaf(failed.Setting).invalid(failed.Err)
}
