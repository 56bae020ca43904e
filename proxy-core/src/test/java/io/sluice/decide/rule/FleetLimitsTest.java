package io.sluice.decide.rule;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.decide.divide.FleetView;
import io.sluice.decide.rule.Rule.Limit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Rules of several proxies that divide their limits. */
class FleetLimitsTest {

  private long now = 1;
  private final List<Rules> proxies = new ArrayList<>();
  private final Map<UUID, String> rows = new HashMap<>();
  private long beat;

  private Rules proxy(Rule... rules) {
    Rules proxy = new Rules(List.of(rules), () -> now);
    proxy.inFleet();
    proxies.add(proxy);
    return proxy;
  }

  private static UUID id(int proxy) {
    return new UUID(0, proxy);
  }

  private void rounds(int count) {
    for (int round = 0; round < count; round++) {
      beat++;
      now += TimeUnit.MILLISECONDS.toNanos(500);
      for (int i = 0; i < proxies.size(); i++) {
        rows.put(id(i), proxies.get(i).fleetText(beat));
      }
      for (int i = 0; i < proxies.size(); i++) {
        Map<UUID, String> others = new HashMap<>(rows);
        others.remove(id(i));
        proxies.get(i).fleetReceived(new FleetView(id(i), beat, others));
      }
    }
  }

  private static Rule rule(String role, Rule.Limits limits) {
    return TestRules.rule(TestRules.match(List.of(role)), limits);
  }

  private static double allowed(Rules proxy) {
    return proxy.facts().get(0).limits().get(0).allowed();
  }

  private static boolean connects(Rules proxy) {
    return proxy.connect(proxy.session(TestRules.role("batch"))) == null;
  }

  @Test
  void connections_of_a_role_are_counted_at_all_proxies_together() {
    Rule rule = rule("batch", TestRules.connections(6));
    Rules one = proxy(rule);
    Rules two = proxy(rule);
    rounds(4);
    int open = 0;
    for (int i = 0; i < 40; i++) {
      open += connects(one) ? 1 : 0;
      open += i % 4 == 0 && connects(two) ? 1 : 0;
      rounds(1);
      assertThat(open).isLessThanOrEqualTo(6);
    }
    assertThat(open).isEqualTo(6);
  }

  /** A new rule begins with a small part, and finds connections that nobody closes. */
  @Test
  void connections_that_are_open_count_for_a_new_rule_beyond_this_proxy_s_part() {
    Rules one = proxy();
    List<RuleSession> open = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      open.add(one.session(TestRules.role("batch")));
      assertThat(one.connect(open.get(i))).isNull();
    }
    one.change(List.of(rule("batch", TestRules.connections(4))));
    assertThat(one.facts().get(0).limits().get(0).used()).isEqualTo(5);
    rounds(4);
    assertThat(connects(one)).isFalse();
    one.disconnect(open.get(0));
    assertThat(connects(one)).as("four are open").isFalse();
    one.disconnect(open.get(1));
    assertThat(connects(one)).isTrue();
    open.forEach(one::disconnect);
    assertThat(one.facts().get(0).limits().get(0).used()).isEqualTo(1);
  }

  @Test
  void a_rate_goes_where_requests_come() {
    Rule rule = rule("batch", TestRules.limits(null, 100, null));
    Rules one = proxy(rule);
    Rules two = proxy(rule);
    assertThat(one.areDivided()).isFalse();
    rounds(4);
    assertThat(one.areDivided()).isTrue();
    assertThat(allowed(one)).isBetween(48.0, 52.0);

    Ruling ruling =
        one.ruling(
            one.session(TestRules.role("batch")),
            TestRules.statement("SELECT * FROM users WHERE k = 1"));
    RuleQuota quota = Objects.requireNonNull(Objects.requireNonNull(ruling).quota());
    for (int i = 0; i < 10; i++) {
      for (int request = 0; request < 200; request++) {
        if (!quota.tryEnter(Line.OTHERS, now)) {
          quota.refuse(Limit.REQUESTS_PER_SECOND);
        }
      }
      rounds(1);
    }
    assertThat(allowed(one)).isGreaterThan(85);
    assertThat(allowed(one) + allowed(two)).isLessThanOrEqualTo(100.001);
  }

  @Test
  void a_proxy_with_other_rules_or_of_another_version_takes_no_part() {
    Rules one = proxy(rule("batch", TestRules.limits(null, 100, null)));
    proxy(rule("other", TestRules.limits(null, 7, null)));
    rows.put(new UUID(9, 9), "2 whatever:this=is");
    rows.put(new UUID(9, 8), "");
    rows.put(new UUID(9, 7), "1 a=b/c =/ x=1/ y=/1 z=-1/NaN");
    rounds(4);
    assertThat(allowed(one)).isEqualTo(100);
  }

  @Test
  void a_limit_that_is_changed_is_divided_at_once() {
    Rules one = proxy(rule("batch", TestRules.limits(null, 100, null)));
    rounds(4);
    one.change(List.of(rule("batch", TestRules.limits(null, 40, null))));
    assertThat(allowed(one)).isLessThanOrEqualTo(40);
    rounds(4);
    assertThat(allowed(one)).isEqualTo(40);
  }

  @Test
  void without_a_fleet_limits_are_those_of_the_file() {
    Rules alone = new Rules(List.of(rule("batch", TestRules.limits(null, 100, null))), () -> now);
    assertThat(alone.fleetText(1)).isEmpty();
    assertThat(alone.areDivided()).isTrue();
    alone.fleetUnreachable(3);
    assertThat(allowed(alone)).isEqualTo(100);
  }
}
