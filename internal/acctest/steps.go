// SPDX-License-Identifier: MPL-2.0

package acctest

// Plan is terraform plan for one resource, in a walk of its own: refresh, then plan.
func (tf *Terraform) Plan(r *Resource, config Values) *Plan {
	tf.t.Helper()
	w := tf.Walk()
	if diags := w.Refresh(r); len(diags.Errors()) > 0 {
		return &Plan{Diagnostics: diags, resource: r, config: config}
	}
	return w.Plan(r, config)
}

// ApplyPlan is terraform apply of a saved plan, in a walk of its own.
func (tf *Terraform) ApplyPlan(p *Plan) Diagnostics {
	tf.t.Helper()
	return tf.Walk().Apply(p, nil)
}

// Apply is terraform apply for one resource: a plan, then its application in another walk. It fails the test if either has an error,
// and gives the warnings of both.
func (tf *Terraform) Apply(r *Resource, config Values) Diagnostics {
	tf.t.Helper()
	p := tf.Plan(r, config)
	p.Diagnostics.NoErrors(tf.t)
	diags := tf.ApplyPlan(p)
	diags.NoErrors(tf.t)
	return append(p.Diagnostics, diags...)
}

// Destroy is terraform destroy for one resource.
func (tf *Terraform) Destroy(r *Resource) Diagnostics {
	tf.t.Helper()
	p := tf.Plan(r, nil)
	p.Diagnostics.NoErrors(tf.t)
	if !r.Exists() {
		return p.Diagnostics
	}
	diags := tf.ApplyPlan(p)
	diags.NoErrors(tf.t)
	return append(p.Diagnostics, diags...)
}

// Empty fails the test unless a plan changes nothing and says nothing.
func (tf *Terraform) Empty(r *Resource, config Values) {
	tf.t.Helper()
	p := tf.Plan(r, config)
	p.Diagnostics.None(tf.t)
	if p.Action != NoOp {
		tf.t.Fatalf("A plan that should be empty is a %s:\nbefore %v\nafter  %v", p.Action, p.Before, p.After)
	}
}
