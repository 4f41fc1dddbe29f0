// SPDX-License-Identifier: MPL-2.0

package cli

import (
	"encoding/json"
	"os"
)

// Instance is a resource instance in the state file.
type Instance struct {
	// Address is type.name; the instances of one resource share it.
	Address    string
	IndexKey   any            `json:"index_key"`
	Status     string         // "tainted", or empty
	Attributes map[string]any // by name, as JSON has them
	// SensitiveAttributes are the paths that state flags as sensitive, in terraform's own form.
	SensitiveAttributes json.RawMessage `json:"sensitive_attributes"`
}

// State are the managed resources in the state file, none where there is no file yet.
func (w *Workspace) State() []Instance {
	w.t.Helper()
	raw, err := os.ReadFile(w.Path("terraform.tfstate"))
	if os.IsNotExist(err) {
		return nil
	}
	var file struct {
		Resources []struct {
			Mode, Type, Name string
			Instances        []Instance
		}
	}
	if err == nil {
		err = json.Unmarshal(raw, &file)
	}
	if err != nil {
		w.t.Fatalf("Read the state file: %v", err)
	}
	var all []Instance
	for _, resource := range file.Resources {
		for _, instance := range resource.Instances {
			instance.Address = resource.Type + "." + resource.Name
			if resource.Mode == "managed" {
				all = append(all, instance)
			}
		}
	}
	return all
}

// Instance is the only instance of a resource in the state file; ok is false where state does not have the resource.
func (w *Workspace) Instance(address string) (instance Instance, ok bool) {
	w.t.Helper()
	for _, candidate := range w.State() {
		if candidate.Address != address {
			continue
		}
		if ok {
			w.t.Fatalf("State has several instances of %s", address)
		}
		instance, ok = candidate, true
	}
	return instance, ok
}
