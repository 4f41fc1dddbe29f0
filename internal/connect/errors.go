// SPDX-License-Identifier: MPL-2.0

package connect

// SettingError is a setting that cannot be used. Its text names no content of the setting, which may be a secret.
type SettingError struct {
	// Setting is the attribute's name within its block: "client_key".
	Setting string
	Err     error
}

func (e *SettingError) Error() string { return e.Setting + ": " + e.Err.Error() }

// Unwrap gives the reason.
func (e *SettingError) Unwrap() error { return e.Err }
