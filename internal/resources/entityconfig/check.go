// SPDX-License-Identifier: MPL-2.0

package entityconfig

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/kafka-layout/terraform-provider-kafka/internal/configset"
	"github.com/kafka-layout/terraform-provider-kafka/internal/kafkaapi"
)

// verb says what a plan is going to do with an entity.
type verb string

const (
	creating   verb = "create"
	updating   verb = "update"
	destroying verb = "destroy"
)

// check warns of what the change may do and sends the very request that apply would send, to be validated only.
func (p planning) check(ctx context.Context, change configset.Change, doing verb) {
	inspect := func() diag.Diagnostics { return p.Judge.Inspect(ctx, p.planned(change, doing)) }
	var inspected, told diag.Diagnostics
	var err error
	if p.Judge.InspectsFirst() {
		if inspected = inspect(); !inspected.HasError() {
			told, err = p.validate(ctx, change)
		}
	} else {
		var inspecting sync.WaitGroup
		inspecting.Go(func() { inspected = inspect() })
		told, err = p.validate(ctx, change)
		inspecting.Wait()
	}
	p.resp.Diagnostics.Append(inspected...)
	if inspected.HasError() {
		return
	}
	p.resp.Diagnostics.Append(told...)
	var hidden *kafkaapi.HiddenValuesError
	switch {
	case err == nil:
	case !errors.As(err, &hidden):
		p.reportCheck(ctx, err, doing)
	default:
		p.reportHidden(hidden.Keys, change)
	}
}

// validate asks the brokers, where that is wanted and does not write, while what the change may do is being found out: a plan of a
// thousand changes is mostly waiting for answers. The plan that an apply makes once more is not validated: the write that follows at once
// is checked in the same way, and a validation beside writes waits, as they do, until the controllers have stored them.
func (p planning) validate(ctx context.Context, change configset.Change) (diag.Diagnostics, error) {
	if p.Validation == ValidationOff || p.Run.isApplying() {
		return nil, nil
	}
	validates, told, err := p.Judge.Validates(ctx, p.entity, p.configuration.keep())
	if err != nil || !validates {
		return told, err
	}
	return told, p.alter(ctx, p.entity, change, p.configuration.keep(), true)
}

func (p planning) planned(change configset.Change, doing verb) Planned {
	planned := Planned{
		Entity: p.entity, Change: change, Secrets: p.configuration.secrets(), Hidden: hiddenKeys(p.configuration, p.prior), Refusals: p.Validation, Destroys: doing == destroying,
	}
	plain := p.configuration.desired().Config
	for _, key := range change.Keys() {
		if _, ok := plain[key]; ok {
			planned.Plain = append(planned.Plain, key)
		}
	}
	return planned
}

// checkAbsent checks the configs of an entity that another resource of this run may be about to make.
func (p planning) checkAbsent(ctx context.Context) {
	if p.Validation == ValidationOff || p.Run.isApplying() || !p.configuration.wholeKnown() {
		return
	}
	declared := map[string]string{}
	desired := p.configuration.desired()
	for _, m := range []map[string]string{desired.Config, desired.Sensitive, desired.WriteOnly} {
		for key, value := range m {
			declared[key] = value
		}
	}
	if len(declared) == 0 {
		return
	}
	if err := p.Judge.ValidateAbsent(ctx, p.entity, declared); err != nil {
		p.reportCheck(ctx, err, creating)
	}
}

// reportCheck turns what the brokers said of a planned change into diagnostics.
func (p planning) reportCheck(ctx context.Context, err error, doing verb) {
	switch {
	case errors.Is(err, kafkaapi.ErrNotAuthorized):
		p.warnUnchecked(err)
	case isRefusal(err):
		p.resp.Diagnostics.Append(p.refusal(ctx, err, doing, p.Validation == ValidationWarn))
	case doing == destroying:
		p.warnLost(ctx, err)
	default:
		p.fail(err)
	}
}

// reportHidden tells why brokers that take only complete sets could not be asked whether they validate: such a set has to have values
// that they hide. A change that leaves one of these keys in place could only fail at apply; one that sets or resets them all can be applied.
func (p planning) reportHidden(keys []string, change configset.Change) {
	changes := change.Keys()
	stay := slices.DeleteFunc(slices.Clone(keys), func(key string) bool { return slices.Contains(changes, key) })
	if len(stay) > 0 {
		p.fail(&kafkaapi.HiddenValuesError{Entity: p.entity, Keys: stay})
		return
	}
	p.resp.Diagnostics.AddWarning(fmt.Sprintf("The planned configs of %s are not checked", p.entity),
		fmt.Sprintf("The cluster offers no IncrementalAlterConfigs, so that its brokers check complete sets only, and the values of %s, which this plan changes, are hidden. "+
			"A refusal shows at apply.", strings.Join(keys, ", ")))
}

// warnLost plans a destroy although the entity gives no answer: what is gone needs no reset, and what is down may be back at apply.
func (p planning) warnLost(ctx context.Context, err error) {
	switch p.Judge.Lost(ctx, p.entity, err) {
	case Gone:
	case Down:
		p.resp.Diagnostics.AddWarning(fmt.Sprintf("The configs of %s can be reset only when it is back", p.entity), p.explain(err, p.configuration.secrets()))
	case NotLost:
		p.fail(err)
	}
}

// refusal puts the broker's words on the path of the key that they name.
func (p planning) refusal(ctx context.Context, err error, doing verb, asWarning bool) diag.Diagnostic {
	summary := fmt.Sprintf("The brokers refuse the planned %s of the configs of %s", doing, p.entity)
	return p.refusalOf(ctx, p.entity, p.configuration, summary, err, doing, asWarning)
}

// refusalOf makes the diagnostic of a refusal, at plan or at apply.
func (e *Engine) refusalOf(ctx context.Context, entity kafkaapi.Entity, v values, summary string, err error, doing verb, asWarning bool) diag.Diagnostic {
	key := keyOf(err)
	var hints []string
	if key != "" {
		hints = append(hints, e.Judge.Hint(ctx, entity, key))
	}
	detail := e.explain(err, v.secrets(), hints...)
	if doing == destroying {
		if asWarning {
			return diag.NewWarningDiagnostic(summary, detail)
		}
		return diag.NewErrorDiagnostic(summary, detail)
	}
	if asWarning {
		return diag.NewAttributeWarningDiagnostic(v.pathOf(key), summary, detail)
	}
	return diag.NewAttributeErrorDiagnostic(v.pathOf(key), summary, detail)
}

// warnUnchecked says once per run and type of entity that the principal may not alter: a plan must be possible all the same, as
// CI jobs often plan with an identity that may only read.
func (p planning) warnUnchecked(err error) {
	var refusal *kafkaapi.Error
	if !errors.As(err, &refusal) || !p.Run.Once(fmt.Sprintf("unchecked-%d", p.entity.Type)) {
		return
	}
	p.resp.Diagnostics.AddWarning("The plan is not checked by the brokers",
		fmt.Sprintf("The principal of this provider lacks a permission, first seen at %s: %s. Whoever applies needs it. "+
			"To plan without asking, set plan_validation = \"off\" in the provider.", p.entity, refusal.Permission))
}
