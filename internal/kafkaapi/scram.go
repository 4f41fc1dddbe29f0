// SPDX-License-Identifier: MPL-2.0

package kafkaapi

import (
	"errors"
	"fmt"

	"github.com/IBM/sarama"
	"github.com/xdg-go/scram"
)

// errScram: the exchange ended on our side, as the broker's part of it is wrong.
var errScram = errors.New("SCRAM")

// scramClient is one exchange (RFC 5802). User names and passwords are taken as they are: brokers do not prepare them by RFC 4013
// either, whatever the standard says.
type scramClient struct {
	client       *scram.Client
	err          error
	conversation *scram.ClientConversation
}

// newScram gives the function that makes one for each authentication. What is costly in it is computed once.
func newScram(s *SASL) func() sarama.SCRAMClient {
	hash := scram.SHA256
	if s.Mechanism == MechanismScramSHA512 {
		hash = scram.SHA512
	}
	client, err := hash.NewClientUnprepped(s.Username, s.Password, "")
	return func() sarama.SCRAMClient { return &scramClient{client: client, err: err} }
}

// Begin starts the exchange. The credentials are known already.
func (s *scramClient) Begin(string, string, string) error {
	if s.err != nil {
		return fmt.Errorf("%w: %w", errScram, s.err)
	}
	s.conversation = s.client.NewConversation()
	return nil
}

// Step answers what the broker said.
func (s *scramClient) Step(challenge string) (string, error) {
	answer, err := s.conversation.Step(challenge)
	if err != nil {
		return "", fmt.Errorf("%w: %w", errScram, err)
	}
	return answer, nil
}

// Done tells whether the exchange is over.
func (s *scramClient) Done() bool { return s.conversation.Done() }
