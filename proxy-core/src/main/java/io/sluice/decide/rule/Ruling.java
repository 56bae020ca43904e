package io.sluice.decide.rule;

import io.sluice.decide.rule.Rule.Limit;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The effect of a matching rule on one request. Immutable.
 *
 * @param rule the rule's name, or its place
 * @param quota its limits on requests; null if it has none
 * @param tenant the tenant whose share of a node the reads use; null for the role's own
 * @param weight the weight of that tenant; meaningless without one
 * @param last whether the reads wait behind all others
 * @param timeoutNanos how long the request may take at most; {@link Long#MAX_VALUE} for no such
 *     limit
 * @param refusal the error for a request that is not served at all; null if it is served
 * @param message for a request refused because of a limit, what to do instead; may be empty
 * @param cap how many rows it may ask for
 * @param raise the weight of its reads that request high priority; 0 if they may not
 * @param warning a warning beside the answer; null for none
 * @param datacenter the data centre whose nodes serve it; null for the proxy's own
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
    @Nullable String warning,
    @Nullable String datacenter) {

  /** The ruling for a read that requests low priority and matches no rule. */
  public static final Ruling LOW =
      new Ruling(
          "priority=low",
          null,
          null,
          1,
          true,
          Long.MAX_VALUE,
          null,
          "",
          Rule.Cap.NONE,
          0,
          null,
          null);

  /** Returns this ruling for a read that requests low priority. */
  public Ruling low() {
    return with(tenant, weight, true);
  }

  /** Returns this ruling for a read that requests high priority, if the rule allows it. */
  public Ruling high(String role) {
    return raise > 0 ? with(role + " raised by rule " + rule, raise, false) : this;
  }

  private Ruling with(@Nullable String whose, double share, boolean behind) {
    return new Ruling(
        rule,
        quota,
        whose,
        share,
        behind,
        timeoutNanos,
        refusal,
        message,
        cap,
        raise,
        warning,
        datacenter);
  }

  /** Returns a ruling that has the data centre of this one, and no other effect. */
  public Ruling onlyDatacenter() {
    return new Ruling(
        rule,
        null,
        null,
        1,
        false,
        Long.MAX_VALUE,
        null,
        message,
        Rule.Cap.NONE,
        0,
        null,
        datacenter);
  }

  /** Returns the warning that a SELECT returns at most {@code rows} rows. */
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

  /** Returns the warning that pages are shorter than requested. */
  public String paged(int rows) {
    return "Rule " + rule + ": the page size is " + rows + " rows (cap.pageSize)";
  }

  /** Returns the warning that a request has waited for the rule's limits. */
  public String waited(long nanos) {
    return "Rule "
        + rule
        + ": this request has waited for its limits, for "
        + TimeUnit.NANOSECONDS.toMillis(nanos)
        + " ms";
  }

  /** Returns the error of a request that has waited for a limit in vain. */
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
