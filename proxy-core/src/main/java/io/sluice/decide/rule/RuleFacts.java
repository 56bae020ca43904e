package io.sluice.decide.rule;

import io.sluice.decide.rule.Rule.Limit;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A rule and its use at one moment, for people.
 *
 * @param place its place in the order, from 0
 * @param name its name, or its place as {@code rules[0]}
 * @param match its matchers
 * @param effect its limits and its other effects
 * @param roles the roles that it applies to; empty for all
 * @param datacenter the data centre whose nodes serve its requests; null for the proxy's own
 * @param matched requests that it applied to since the start
 * @param waiting requests that wait for its limits
 * @param waited requests that have waited since the start
 * @param rows rows that its reads have returned since the start, as far as they are counted
 * @param limits each of its limits
 * @param refused requests and connections refused since the start, by reason
 */
public record RuleFacts(
    int place,
    String name,
    String match,
    String effect,
    List<String> roles,
    @Nullable String datacenter,
    long matched,
    int waiting,
    long waited,
    long rows,
    List<LimitFacts> limits,
    Map<Limit, Long> refused) {

  /**
   * One limit of a rule.
   *
   * @param limit which one
   * @param allowed at once or in a second, for this proxy now
   * @param used used now; for rates, about the last second
   */
  public record LimitFacts(Limit limit, double allowed, double used) {}

  /** Returns how many requests and connections were refused since the start. */
  public long refusals() {
    return refused.values().stream().mapToLong(Long::longValue).sum();
  }
}
