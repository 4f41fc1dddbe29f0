// SPDX-License-Identifier: MPL-2.0

// Package oauth is an OAuth 2.0 authorization server for tests, of the kind that clients of a SASL listener with OAUTHBEARER ask for
// tokens and whose keys brokers fetch: real HTTP, real signatures. It knows the client credentials grant (RFC 6749, section 4.4),
// can be told how long tokens live and to refuse, and keeps a record of what it was asked.
package oauth
