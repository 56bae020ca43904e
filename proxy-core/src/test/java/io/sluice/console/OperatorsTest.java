package io.sluice.console;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.wire.ErrorCode;
import io.sluice.wire.Identity;
import io.sluice.wire.TestFrames;
import io.sluice.wire.TestRows;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests which clients are operators, and how long the nodes' answer to that is valid. */
class OperatorsTest {

  private static final Identity ALICE = Identity.plain("alice", "secret");
  private static final Identity BOB = Identity.plain("bob", "secret");

  private final ConsoleNodes nodes = new ConsoleNodes();
  private final List<String> told = new ArrayList<>();
  private Operators operators = operators();

  @AfterEach
  void close() {
    nodes.close();
  }

  private Operators operators(String... roles) {
    return new Operators(nodes.context, new ConsoleConfig(List.of(roles), 0));
  }

  private void ask(Identity identity) {
    nodes.client.proven = identity;
    operators.ask(
        nodes.client, operator -> told.add("operator " + operator), reason -> told.add("failed"));
    nodes.lane.runSoon();
  }

  /** Asks when no node is needed for the answer. */
  private boolean known(Identity identity) {
    told.clear();
    ask(identity);
    assertThat(nodes.isAsked()).as("a question to a node").isFalse();
    assertThat(told).hasSize(1);
    return told.get(0).equals("operator true");
  }

  /** Asks when a node is needed, which gives this answer. */
  private void asked(Identity identity, boolean superuser) {
    told.clear();
    ask(identity);
    assertThat(told).as("before the answer").isEmpty();
    answer(superuser);
    assertThat(told).containsExactly("operator " + superuser);
  }

  private void answer(boolean superuser) {
    nodes
        .question()
        .asked()
        .answer(
            new TestRows("role text, super boolean")
                .row(
                    ByteBuffer.wrap(new byte[] {'a'}),
                    ByteBuffer.wrap(new byte[] {(byte) (superuser ? 1 : 0)}))
                .frame());
  }

  @Test
  void with_configured_roles_only_these_are_operators() {
    operators = operators("alice", "ops");
    assertThat(known(ALICE)).isTrue();
    assertThat(known(BOB)).isFalse();
    assertThat(known(Identity.ANONYMOUS)).isFalse();
  }

  @Test
  void a_cluster_without_logins_has_operators_only() {
    assertThat(known(Identity.ANONYMOUS)).isTrue();
  }

  /** A role may have this name. */
  @Test
  void a_client_that_has_logged_in_as_anonymous_is_not_one_without_login() {
    asked(Identity.plain("anonymous", "secret"), false);
  }

  @Test
  void superusers_are_operators_and_nodes_are_asked_once_for_ten_seconds() {
    asked(ALICE, true);
    nodes.lane.pass(9_999);
    assertThat(known(ALICE)).isTrue();
    nodes.lane.pass(1);
    asked(ALICE, false);
    nodes.lane.pass(9_999);
    assertThat(known(ALICE)).isFalse();
  }

  @Test
  void the_time_runs_from_the_answer_on_and_a_look_does_not_extend_it() {
    ask(ALICE);
    nodes.lane.pass(5_000);
    answer(true);
    nodes.lane.pass(9_000);
    assertThat(known(ALICE)).isTrue();
    nodes.lane.pass(1_000);
    asked(ALICE, true);
  }

  @Test
  void each_identity_is_known_by_itself() {
    asked(ALICE, true);
    asked(BOB, false);
    asked(Identity.plain("alice", "another password"), false);
    assertThat(known(ALICE)).isTrue();
    assertThat(known(BOB)).isFalse();
  }

  @Test
  void a_failure_is_not_remembered() {
    ask(ALICE);
    for (int i = 0; i < ConsoleNodes.NODES; i++) {
      nodes.question().asked().answer(TestFrames.error(4, ErrorCode.UNAVAILABLE));
    }
    assertThat(told).containsExactly("failed");
    asked(ALICE, true);
  }

  @Test
  void other_configured_roles_apply_at_once() {
    operators = operators("alice");
    operators.roles(List.of("bob"));
    assertThat(known(ALICE)).isFalse();
    assertThat(known(BOB)).isTrue();
    operators.roles(List.of());
    asked(BOB, false);
    operators.roles(List.of("bob"));
    assertThat(known(BOB)).isTrue();
  }

  @Test
  void a_question_under_way_is_answered_by_the_node_whatever_is_configured_meanwhile() {
    ask(ALICE);
    operators.roles(List.of("bob"));
    answer(true);
    assertThat(told).containsExactly("operator true");
    assertThat(known(ALICE)).isFalse();
  }
}
