// SPDX-License-Identifier: MPL-2.0

package poll_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/kafka-layout/terraform-provider-kafka/internal/poll"
)

func TestUntil(t *testing.T) {
	asked := 0
	err := poll.Until(t.Context(), time.Microsecond, time.Millisecond, func() (bool, error) { asked++; return asked == 5, nil })
	if err != nil || asked != 5 {
		t.Errorf("asked %d times: %v", asked, err)
	}
}

func TestUntilEndsWithAnError(t *testing.T) {
	broken := errors.New("broken")
	if err := poll.Until(t.Context(), time.Microsecond, time.Millisecond, func() (bool, error) { return false, broken }); !errors.Is(err, broken) {
		t.Errorf("got %v", err)
	}
}

func TestUntilEndsWithTheContext(t *testing.T) {
	why := errors.New("enough")
	ctx, cancel := context.WithCancelCause(t.Context())
	err := poll.Until(ctx, time.Microsecond, time.Millisecond, func() (bool, error) { cancel(why); return false, nil })
	if !errors.Is(err, why) {
		t.Errorf("got %v", err)
	}
}
