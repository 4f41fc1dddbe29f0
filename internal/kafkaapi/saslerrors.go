// SPDX-License-Identifier: MPL-2.0

package kafkaapi

import (
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/IBM/sarama"
)

// explainSASL words what went wrong after a broker told its versions: in the choice of the mechanism or in the authentication.
func (c *Client) explainSASL(address string, raw *guardConn, err error) error {
	s := c.opts.SASL
	switch {
	case errors.Is(err, sarama.ErrUnsupportedSASLMechanism):
		answers := raw.kept()
		offered := mechanismsOf(answers[len(answers)-1])
		return diagnose(blameSASL, err, "the listener does not offer the mechanism %s; it offers %s", s.Mechanism, cmp.Or(strings.Join(offered, ", "), "none"))
	case errors.Is(err, sarama.ErrIllegalSASLState):
		return diagnose(blameSASL, err, "the listener does no SASL authentication, but the provider's sasl is set")
	}
	if refused := c.refusedBy(address, raw, err); refused != nil {
		return refused
	}
	var token *tokenError
	switch {
	case errors.As(err, &token):
		return c.explainToken(token)
	case isClosed(err):
		return diagnose(blameSASL, err, "the connection was closed during the authentication with %s", s.Mechanism)
	case s.Mechanism == MechanismGSSAPI:
		// The library begins with the kind of the last error, which it names again.
		text := rootCause.ReplaceAllString(oneLine(err.Error()), "")
		return diagnose(blameSASL, err, "the authentication with GSSAPI failed: %s", text)
	}
	return err
}

// refusedBy gives the *AuthenticationError for a failed authentication, nil for every other error. Raw is nil for one that was
// repeated on an open connection.
func (c *Client) refusedBy(address string, raw *guardConn, err error) error {
	s := c.opts.SASL
	if s == nil {
		return nil
	}
	var token *tokenError
	refused := &AuthenticationError{Address: address, err: err}
	switch {
	case errors.As(err, &token) && errors.Is(err, ErrAuthentication):
		refused.Reason = token.Error()
	case s.Mechanism == MechanismGSSAPI && kerberosWords(err) != "":
		refused.Reason = fmt.Sprintf("Kerberos refuses %s: %s", s.who(), kerberosWords(err))
	case errors.Is(err, errScram):
		refused.Reason = fmt.Sprintf("the broker's part of %s is wrong: %s", s.Mechanism, strings.TrimPrefix(err.Error(), errScram.Error()+": "))
	case !errors.Is(err, sarama.ErrSASLAuthenticationFailed):
		return nil
	case s.Tokens != nil:
		refused.Reason = c.tokenRefused(raw, err)
	default:
		refused.Reason = fmt.Sprintf("the broker refuses %s with %s: %s (%s)", s.who(), s.Mechanism, brokersWords(err), s.causes()+s.blanks())
	}
	return refused
}

func (c *Client) explainToken(err *tokenError) error {
	return diagnose(blameSASL, err, "no token could be had for %s: %s", c.opts.SASL.Mechanism, c.reason("the request for a token", err.err))
}

// who is whom the broker refuses.
func (s *SASL) who() string {
	if k := s.Kerberos; k != nil {
		if k.Username == "" {
			return "the owner of the ticket cache"
		}
		return fmt.Sprintf("user %q of realm %q", k.Username, k.Realm)
	}
	return fmt.Sprintf("user %q", s.Username)
}

// kerberosAnswer is a refusal by a KDC, as the library words it: its number, its name and an explanation.
var kerberosAnswer = regexp.MustCompile(`KRB Error: \(\d+\) (.*)`)

var rootCause = regexp.MustCompile(`^\[Root cause: \w+\] `)

// kerberosWords are the words of a KDC, empty where none has spoken.
func kerberosWords(err error) string {
	text := oneLine(err.Error())
	if strings.Contains(text, "client password/keytab incorrect") {
		return "the password or the key table is not the user's"
	}
	if found := kerberosAnswer.FindStringSubmatch(text); found != nil {
		return found[1]
	}
	return ""
}

// causes are what the broker's words may mean: it does not tell a stranger whether a user exists.
func (s *SASL) causes() string {
	switch s.Mechanism {
	case MechanismScramSHA256, MechanismScramSHA512:
		return fmt.Sprintf("the password is wrong, or there is no such user, or none with a password for %s", s.Mechanism)
	case MechanismGSSAPI:
		return "the ticket is for another service, or the clocks differ"
	}
	return "the password is wrong, or there is no such user"
}

// blanks tells of white space around a name or a password, which comes with files and shells and is hard to see.
func (s *SASL) blanks() string {
	for _, text := range []struct{ what, value string }{{"password", s.Password}, {"user", s.Username}} {
		if strings.TrimSpace(text.value) != text.value {
			return "; the " + text.what + " that is set begins or ends with white space"
		}
	}
	return ""
}

// tokenRefused tells what the broker says of a token, and what the token says of itself.
func (c *Client) tokenRefused(raw *guardConn, err error) string {
	words := brokersWords(err)
	if raw != nil {
		// The broker gives its reason first, in JSON (RFC 7628), and then ends the exchange with words that say less.
		for _, answer := range raw.kept() {
			if status := statusIn(answer); status != "" {
				words = status
			}
		}
	}
	reason := fmt.Sprintf("the broker refuses the token with %s: %s", c.opts.SASL.Mechanism, words)
	if token := c.lastToken.Load(); token != nil {
		if about := describeToken(*token); about != "" {
			reason += "; " + about
		}
	}
	return reason
}

// brokersWords are the words of a refusal without the library's.
func brokersWords(err error) string {
	for cause := err; cause != nil; cause = errors.Unwrap(cause) {
		if next := errors.Unwrap(cause); next != nil && !errors.Is(next, sarama.ErrSASLAuthenticationFailed) {
			return oneLine(next.Error())
		}
	}
	return codeName(int16(sarama.ErrSASLAuthenticationFailed))
}

func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

// mechanismsOf reads the list in an answer to SaslHandshake: correlation id, error code, and an array of strings.
func mechanismsOf(answer []byte) []string {
	const head = 4 + 2 + 4
	if len(answer) < head {
		return nil
	}
	var all []string
	for rest := answer[head:]; len(rest) >= 2; {
		n := int(binary.BigEndian.Uint16(rest))
		if len(rest) < 2+n {
			break
		}
		all = append(all, string(rest[2:2+n]))
		rest = rest[2+n:]
	}
	// Brokers keep them in no order.
	slices.Sort(all)
	return all
}
