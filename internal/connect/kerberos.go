// SPDX-License-Identifier: MPL-2.0

package connect

import (
	"errors"
	"fmt"
	"io/fs"
	"time"

	"github.com/jcmturner/gokrb5/v8/config"
	"github.com/jcmturner/gokrb5/v8/credentials"
	"github.com/jcmturner/gokrb5/v8/keytab"
)

// KerberosFiles are what Kerberos reads; empty is not needed.
type KerberosFiles struct {
	Config, Keytab, Cache string
}

// Check reads the files as each connection will: what is wrong with them is told once and at its attribute, and a file at which the
// library would stumble never gets that far. Errors are *SettingError.
func (k KerberosFiles) Check() error {
	if err := read(k.Config, func(name string) error { _, err := config.Load(name); return err }); err != nil {
		return &SettingError{"krb5_config_path", err}
	}
	if err := read(k.Keytab, func(name string) error { _, err := keytab.Load(name); return err }); err != nil {
		return &SettingError{"keytab_path", err}
	}
	if err := read(k.Cache, ticketIn); err != nil {
		return &SettingError{"keytab_path", fmt.Errorf("there is neither a key table nor a password, and from the ticket cache nothing can be had: %w; run kinit", err)}
	}
	return nil
}

// ticketIn wants a ticket for tickets that has not expired.
func ticketIn(name string) error {
	cache, err := credentials.LoadCCache(name)
	if err != nil {
		return err
	}
	for _, credential := range cache.GetEntries() {
		if len(credential.Server.PrincipalName.NameString) == 2 && credential.Server.PrincipalName.NameString[0] == "krbtgt" {
			if end := credential.EndTime; time.Now().After(end) {
				return fmt.Errorf("its ticket expired at %s", end.UTC().Format(time.RFC3339))
			}
			return nil
		}
	}
	return errors.New("there is no ticket in it")
}

// read names the file in the error, and survives a library that does not expect what it finds.
func read(name string, load func(name string) error) (err error) {
	if name == "" {
		return nil
	}
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("the file %s is not of the expected format", name)
		}
	}()
	err = load(name)
	var failed *fs.PathError
	switch {
	case errors.As(err, &failed):
		return fmt.Errorf("the file %s cannot be read: %w", name, failed.Err)
	case err != nil:
		return fmt.Errorf("the file %s cannot be used: %w", name, err)
	}
	return nil
}
