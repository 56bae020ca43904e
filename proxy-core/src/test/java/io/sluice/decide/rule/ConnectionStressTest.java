package io.sluice.decide.rule;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** Connections that open and close on several threads while rules change. */
class ConnectionStressTest {

  private static final int THREADS = 4;
  private static final int CONNECTIONS = 2_000;
  private static final int KEPT = 10;

  private final Rules rules = new Rules(List.of(rule("a")), () -> 1);

  private static Rule rule(String role) {
    return TestRules.named(
        "rule of " + role, TestRules.match(List.of(role)), TestRules.connections(1_000_000));
  }

  private double used() {
    return rules.facts().get(0).limits().get(0).used();
  }

  private List<RuleSession> opensAndCloses(String role) {
    List<RuleSession> open = new ArrayList<>();
    for (int i = 0; i < CONNECTIONS; i++) {
      RuleSession session = rules.session(TestRules.role(role));
      assertThat(rules.connect(session)).isNull();
      if (i % KEPT == 0) {
        open.add(session);
      } else {
        rules.disconnect(session);
      }
    }
    return open;
  }

  @Test
  void each_open_connection_counts_for_the_rule_that_is_in_effect() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(THREADS);
    List<RuleSession> open = new ArrayList<>();
    try {
      List<Future<List<RuleSession>>> all = new ArrayList<>();
      for (int i = 0; i < THREADS; i++) {
        String role = i % 2 == 0 ? "a" : "b";
        all.add(threads.submit(() -> opensAndCloses(role)));
      }
      boolean first = true;
      while (!all.stream().allMatch(Future::isDone)) {
        rules.change(List.of(rule(first ? "b" : "a")));
        first = !first;
      }
      for (Future<List<RuleSession>> each : all) {
        open.addAll(each.get());
      }
    } finally {
      threads.shutdownNow();
    }

    rules.change(List.of(rule("a"), rule("b")));
    assertThat(used()).isEqualTo(THREADS / 2.0 * CONNECTIONS / KEPT);
    open.forEach(rules::disconnect);
    assertThat(used()).isZero();
  }
}
