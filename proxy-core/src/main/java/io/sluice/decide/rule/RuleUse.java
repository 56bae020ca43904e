package io.sluice.decide.rule;

import io.sluice.decide.rule.Rule.Limit;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;

/** The use of one rule, which continues when its limits change. Safe for any thread. */
final class RuleUse {

  private final RuleQuota quota;
  private final LongAdder matched = new LongAdder();
  private final AtomicInteger connections = new AtomicInteger();
  private volatile Map<Limit, Double> allowed = Map.of();
  private final Map<Limit, LongAdder> refused = new EnumMap<>(Limit.class);

  RuleUse(Rule.Limits limits, long now) {
    this.quota = new RuleQuota(limits, now);
    refused.put(Limit.CONNECTIONS, new LongAdder());
    refused.put(Limit.ACTION, new LongAdder());
  }

  RuleQuota quota() {
    return quota;
  }

  void matched() {
    matched.increment();
  }

  /**
   * Restricts this proxy to these parts of the limits; it may use all of a limit without a part.
   */
  void allow(Map<Limit, Double> parts, long now) {
    allowed = Map.copyOf(parts);
    quota.allow(parts, now);
  }

  /** Returns how much this proxy may use of a limit. */
  double allowed(Limit limit, int most) {
    return Math.min(most, allowed.getOrDefault(limit, (double) most));
  }

  /** Counts a connection, if at most {@code most} are open with it. */
  boolean connect(int most) {
    if (connections.incrementAndGet() <= allowed(Limit.CONNECTIONS, most)) {
      return true;
    }
    connections.decrementAndGet();
    return false;
  }

  /** Counts a connection that is already open, even beyond the limit. */
  void keep() {
    connections.incrementAndGet();
  }

  void disconnect() {
    connections.decrementAndGet();
  }

  int connections() {
    return connections.get();
  }

  /** Returns the number of connections refused since the start. */
  long refusedConnections() {
    LongAdder count = refused.get(Limit.CONNECTIONS);
    return count == null ? 0 : count.sum();
  }

  /** Counts a refusal that the quota does not count. */
  void refused(Limit why) {
    LongAdder count = refused.get(why);
    if (count != null) {
      count.increment();
    }
  }

  long matches() {
    return matched.sum();
  }

  Map<Limit, Long> refusals(QuotaUse use) {
    Map<Limit, Long> all = new EnumMap<>(Limit.class);
    all.putAll(use.refused());
    refused.forEach((why, count) -> all.merge(why, count.sum(), Long::sum));
    all.values().removeIf(count -> count == 0);
    return all;
  }
}
