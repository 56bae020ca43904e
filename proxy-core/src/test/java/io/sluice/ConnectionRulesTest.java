package io.sluice;

import static io.sluice.TestRequests.read;
import static io.sluice.TestRequests.rows;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.decide.rule.Rule;
import io.sluice.decide.rule.RuleFacts;
import io.sluice.decide.rule.SessionFacts;
import io.sluice.decide.schedule.SchedulingConfig.Mode;
import io.sluice.wire.CqlCodec;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests that a client's connection counts for a rule from its login to its end. */
class ConnectionRulesTest {

  private final PathFixture fixture = new PathFixture(2);

  @AfterEach
  void close() {
    fixture.close();
  }

  private void atMost(int connections) {
    Rule.Limits limits = new Rule.Limits(null, null, null, connections, null);
    fixture.rules.change(List.of(new Rule("few", null, limits, null, null, null, null)));
  }

  private PathFixture.Asked logsIn() throws InterruptedException {
    return fixture.startup(CqlCodec.startup(4, Map.of()));
  }

  private double open() {
    RuleFacts few = fixture.rules.facts().get(0);
    return few.limits().get(0).used();
  }

  private boolean anotherConnects() {
    SessionFacts other =
        new SessionFacts("other", null, null, fixture.client.address().getAddress());
    return fixture.rules.connect(fixture.rules.session(other)) == null;
  }

  @Test
  void a_client_counts_from_its_login_to_its_end() throws Exception {
    atMost(1);
    assertThat(open()).isZero();
    assertThat(logsIn().answer()).isEqualTo("opcode 2");
    assertThat(open()).isEqualTo(1);
    fixture.path.gone(fixture.client);
    fixture.path.gone(fixture.client);
    assertThat(open()).isZero();
  }

  @Test
  void a_client_that_logged_in_before_there_was_a_rule_counts_for_it() throws Exception {
    fixture.allDo(request -> rows());
    assertThat(logsIn().answer()).isEqualTo("opcode 2");
    atMost(1);
    assertThat(open()).isEqualTo(1);
    assertThat(fixture.ask(read()).answer()).isEqualTo("rows");
    assertThat(open()).isEqualTo(1);
    assertThat(anotherConnects()).isFalse();
    fixture.path.gone(fixture.client);
    assertThat(open()).isZero();
    assertThat(anotherConnects()).isTrue();
  }

  @ParameterizedTest
  @EnumSource(
      value = Mode.class,
      names = {"OBSERVE", "PASSTHROUGH"})
  void a_client_that_logged_in_while_nothing_was_enforced_counts_later(Mode mode) throws Exception {
    fixture.mode(mode);
    atMost(1);
    assertThat(anotherConnects()).isTrue();
    assertThat(logsIn().answer()).isEqualTo("opcode 2");
    assertThat(open()).isEqualTo(2);
    fixture.mode(Mode.ENFORCE);
    assertThat(anotherConnects()).isFalse();
    fixture.path.gone(fixture.client);
    assertThat(open()).isEqualTo(1);
  }

  @Test
  void a_client_that_a_rule_refuses_takes_no_place() throws Exception {
    atMost(1);
    assertThat(anotherConnects()).isTrue();
    PathFixture.Asked refused = logsIn();
    assertThat(refused.answer()).isEqualTo("1001");
    assertThat(refused.words).startsWith("Rule few: as many connections are open");
    assertThat(open()).isEqualTo(1);
    fixture.path.gone(fixture.client);
    assertThat(open()).isEqualTo(1);
  }
}
