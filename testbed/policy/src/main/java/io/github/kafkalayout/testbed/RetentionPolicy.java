// SPDX-License-Identifier: MPL-2.0

package io.github.kafkalayout.testbed;

import java.util.Map;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.PolicyViolationException;
import org.apache.kafka.server.policy.AlterConfigPolicy;

/**
 * Refuses to keep a topic's records for more than ten years, unless they are kept for ever.
 *
 * <p>A cluster's owner sets such a rule with alter.config.policy.class.name (KIP-133); brokers answer POLICY_VIOLATION.
 */
public final class RetentionPolicy implements AlterConfigPolicy {
    private static final String RETENTION = "retention.ms";
    private static final long FOREVER = -1L;
    private static final long TEN_YEARS_MS = 3650L * 24 * 60 * 60 * 1000;

    @Override
    public void configure(Map<String, ?> configs) {}

    @Override
    public void validate(RequestMetadata request) {
        String value = request.configs().get(RETENTION);
        if (request.resource().type() != ConfigResource.Type.TOPIC || value == null) {
            return;
        }
        long retention = Long.parseLong(value.trim());
        if (retention != FOREVER && retention > TEN_YEARS_MS) {
            throw new PolicyViolationException(
                    "Topic " + request.resource().name() + ": retention.ms " + retention
                            + " is more than ten years (" + TEN_YEARS_MS + "); use -1 to keep records for ever");
        }
    }

    @Override
    public void close() {}
}
