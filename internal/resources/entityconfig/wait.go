// SPDX-License-Identifier: MPL-2.0

package entityconfig

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/hashicorp/terraform-plugin-log/tflog"
	"golang.org/x/sync/errgroup"

	"github.com/kafka-layout/terraform-provider-kafka/internal/configset"
	"github.com/kafka-layout/terraform-provider-kafka/internal/kafkaapi"
	"github.com/kafka-layout/terraform-provider-kafka/internal/poll"
)

// notShownError: at the end of the wait a broker still answers otherwise.
type notShownError struct {
	broker int32
	wrong  []configset.Mismatch
	// hidden are the keys whose values must not be shown.
	hidden []string
}

func (e *notShownError) Error() string {
	reasons := make([]string, 0, len(e.wrong))
	for _, mismatch := range e.wrong {
		if slices.Contains(e.hidden, mismatch.Key) {
			reasons = append(reasons, mismatch.Key+" is not as it was written")
			continue
		}
		reasons = append(reasons, mismatch.String())
	}
	return fmt.Sprintf("the write was accepted, but broker %d does not show it: %s", e.broker, strings.Join(reasons, "; "))
}

// awaitShown polls every live broker that a later run may ask until it shows the change: brokers learn of a write one after the
// other, on Kafka 3.9 and 4.0 half a second late. It gives the value types that a broker told. A broker that goes
// away meanwhile is passed over with a warning.
func (a applying) awaitShown(ctx context.Context, change configset.Change) (map[string]configset.Type, error) {
	brokers, err := a.witnesses(ctx)
	if err != nil {
		return nil, err
	}
	var mu sync.Mutex
	var types map[string]configset.Type
	group, ctx := errgroup.WithContext(ctx)
	for _, broker := range brokers {
		group.Go(func() error {
			shown, err := a.awaitShownAt(ctx, broker, change)
			mu.Lock()
			defer mu.Unlock()
			if errors.Is(err, kafkaapi.ErrBrokerUnavailable) {
				a.diags.AddWarning(fmt.Sprintf("The new configs of %s were not confirmed by broker %d", a.entity, broker), a.explain(err, nil))
				return nil
			}
			if shown != nil {
				types = shown
			}
			return err
		})
	}
	err = group.Wait()
	return types, err
}

// witnesses are the brokers whose view counts: a named broker's own, otherwise all live ones.
func (a applying) witnesses(ctx context.Context) ([]int32, error) {
	if id, ok := a.entity.BrokerID(); ok {
		return []int32{id}, nil
	}
	cluster, err := a.Kafka.Cluster(ctx)
	if err != nil {
		return nil, err
	}
	ids := make([]int32, 0, len(cluster.Brokers))
	for _, broker := range cluster.Brokers {
		ids = append(ids, broker.ID)
	}
	return ids, nil
}

func (a applying) awaitShownAt(ctx context.Context, broker int32, change configset.Change) (types map[string]configset.Type, err error) {
	var wrong []configset.Mismatch
	var unanswered error // what was waited for when the time was over
	missing := 0
	// Types are wanted of what is declared, too.
	wanted := kafkaapi.ListConfigsOptions{At: &broker, Keys: append(change.Keys(), a.declared.desired().Keys()...)}
	err = poll.Soon(ctx, firstPause, lastPause, func() (bool, error) {
		configs, err := a.list(ctx, a.entity, wanted)
		switch {
		case err == nil:
			all := entries(a.entity, configs)
			types, wrong = configset.Types(all), configset.Verify(change, configset.Own(all))
			return len(wrong) == 0, nil
		case isMissing(err) && missing < patience:
			missing++
		case ctx.Err() == nil:
			return false, err
		default:
			unanswered = err
		}
		tflog.Debug(ctx, "waiting for a broker to show a write", map[string]any{"entity": a.entity.String(), "broker": broker, "keys": len(wrong)})
		return false, nil
	})
	switch {
	case !errors.Is(err, context.DeadlineExceeded):
		return types, err
	case len(wrong) > 0:
		return types, &notShownError{broker: broker, wrong: wrong, hidden: hiddenKeys(a.declared, a.prior)}
	case errors.Is(unanswered, context.DeadlineExceeded):
		return types, unanswered
	default:
		return types, fmt.Errorf("waiting for broker %d to show %s: %w", broker, a.entity, err)
	}
}

// awaitVisible lists the entity's configs, and waits for one that was made a moment ago and is not yet known to the brokers.
func (a applying) awaitVisible(ctx context.Context) ([]kafkaapi.Config, error) {
	configs, err := a.listConfirmed(ctx)
	if !isMissing(err) {
		return configs, err
	}
	// The controller, which validates, knows for certain. To reset a key that is not set changes nothing, and this is not even done.
	probe := configset.Change{Delete: a.Kind.LeftAlone(a.entity)[:1]}
	if probeErr := a.alter(ctx, a.entity, probe, nil, true); probeErr != nil {
		return nil, err
	}
	err = poll.Until(ctx, firstPause, lastPause, func() (bool, error) {
		configs, err = a.listConfirmed(ctx)
		if isMissing(err) {
			return false, nil
		}
		return err == nil, err
	})
	if errors.Is(err, context.DeadlineExceeded) {
		err = fmt.Errorf("waiting for a broker to show %s, which the controller knows: %w", a.entity, context.DeadlineExceeded)
	}
	return configs, err
}

func (a applying) listConfirmed(ctx context.Context) ([]kafkaapi.Config, error) {
	configs, err := a.list(ctx, a.entity, kafkaapi.ListConfigsOptions{})
	return a.confirmed(ctx, a.entity, configs, err)
}

// patience is how often a broker may say that it does not know an entity whose write was accepted, some seconds in all: it may
// not have heard of a new topic yet. After that the topic was deleted meanwhile.
const patience = 40

// Brokers show a write within milliseconds, some half a second late.
const (
	firstPause = 4 * time.Millisecond
	lastPause  = 250 * time.Millisecond
)
