package io.sluice.decide.rule;

import org.jspecify.annotations.Nullable;

/**
 * The effect of the rule that matches on one request of a client. Immutable.
 *
 * @param rule the rule's name, or its place
 * @param quota its limits on requests; null when it has none
 * @param tenant whose share of a node its reads use; null for the role's own
 * @param weight of that tenant; meaningless without one
 * @param last whether its reads wait behind all others
 * @param timeoutNanos how long it may take at most; {@link Long#MAX_VALUE} for no such limit
 * @param refusal what the client is told when it is not served at all; null when it is
 * @param message what the client is told to do instead when it is refused for a limit; may be empty
 */
public record Ruling(
    String rule,
    @Nullable RuleQuota quota,
    @Nullable String tenant,
    double weight,
    boolean last,
    long timeoutNanos,
    @Nullable String refusal,
    String message) {

  /** What a client is told whose request has waited for a limit in vain. */
  public String refused(Limit limit) {
    return "Rule "
        + rule
        + ": more was asked for than "
        + limit.key()
        + " allows for all its requests together; "
        + (message.isEmpty()
            ? "send fewer at once, or have the operator of Sluice raise limits." + limit.key()
            : message);
  }
}
