package io.sluice.decide.rule;

import java.util.concurrent.TimeUnit;
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
 * @param cap how many rows it may ask for
 * @param raise the weight of its reads when they ask for high priority; 0 when they may not
 * @param warning what the client is told beside its answer; null for nothing
 */
public record Ruling(
    String rule,
    @Nullable RuleQuota quota,
    @Nullable String tenant,
    double weight,
    boolean last,
    long timeoutNanos,
    @Nullable String refusal,
    String message,
    Rule.Cap cap,
    double raise,
    @Nullable String warning) {

  /** A read that asks to be last, and is subject to no rule. */
  public static final Ruling LOW =
      new Ruling(
          "priority=low", null, null, 1, true, Long.MAX_VALUE, null, "", Rule.Cap.NONE, 0, null);

  /** The same for a read that asks to be last. */
  public Ruling low() {
    return with(tenant, weight, true);
  }

  /** The same for a read of a role that asks for high priority, where the rule lets it. */
  public Ruling high(String role) {
    return raise > 0 ? with(role + " raised by rule " + rule, raise, false) : this;
  }

  private Ruling with(@Nullable String whose, double share, boolean behind) {
    return new Ruling(
        rule, quota, whose, share, behind, timeoutNanos, refusal, message, cap, raise, warning);
  }

  /** What a client is told whose SELECT may return so many rows only. */
  public String limited(int rows) {
    return "Rule "
        + rule
        + ": LIMIT is "
        + rows
        + ", and no rows beyond it are returned; "
        + (message.isEmpty()
            ? "ask for fewer rows, or have the operator of Sluice raise cap.limit"
            : message);
  }

  /** What a client is told whose pages are shorter than it has asked for. */
  public String paged(int rows) {
    return "Rule " + rule + ": the page size is " + rows + " rows (cap.pageSize)";
  }

  /** What a client is told whose request has waited for the rule's limits. */
  public String waited(long nanos) {
    return "Rule "
        + rule
        + ": this request has waited for its limits, for "
        + TimeUnit.NANOSECONDS.toMillis(nanos)
        + " ms";
  }

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
