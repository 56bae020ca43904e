package io.sluice.console;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.link.LinkFailure;
import io.sluice.wire.CqlCodec;
import io.sluice.wire.ErrorCode;
import io.sluice.wire.Frame;
import io.sluice.wire.TestFrames;
import io.sluice.wire.TestRows;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests the one outcome of a question to nodes, and that no answer of a node is left. */
class SuperuserQuestionTest {

  private final ConsoleNodes nodes = new ConsoleNodes();
  private final List<String> told = new ArrayList<>();
  private final List<Frame> answers = new ArrayList<>();

  @AfterEach
  void each_answer_is_released() {
    nodes.close();
    assertThat(answers).as("answers of nodes").allMatch(TestFrames::isReleased);
  }

  private void ask() {
    new SuperuserQuestion(
            nodes.context,
            nodes.client,
            superuser -> told.add("superuser " + superuser),
            reason -> told.add("failed: " + reason))
        .ask();
    nodes.lane.runSoon();
  }

  /** Answers the question that a node has got, and returns the node. */
  private int answer(Frame answer) {
    ConsoleNodes.Question question = nodes.question();
    answers.add(answer);
    question.asked().answer(answer);
    return question.node();
  }

  private static Frame roles(int superuser) {
    return new TestRows("role text, super boolean")
        .row(ByteBuffer.wrap(new byte[] {'a'}), ByteBuffer.wrap(new byte[] {(byte) superuser}))
        .frame();
  }

  private static Frame error(int code) {
    return TestFrames.error(4, code);
  }

  private static Arguments decides(String outcome, Supplier<Frame> answer) {
    return Arguments.of(outcome, answer);
  }

  static Stream<Arguments> answersThatDecide() {
    return Stream.of(
        decides("superuser true", () -> roles(1)),
        decides("superuser false", () -> roles(0)),
        decides("superuser false", () -> error(ErrorCode.UNAUTHORIZED)));
  }

  @ParameterizedTest
  @MethodSource("answersThatDecide")
  void an_answer_of_the_roles_or_that_they_may_not_be_read_decides(
      String outcome, Supplier<Frame> answer) {
    ask();
    answer(answer.get());
    assertThat(told).containsExactly(outcome);
    assertThat(nodes.isAsked()).as("a second question").isFalse();
  }

  static Stream<Supplier<Frame>> answersThatDecideNothing() {
    return Stream.of(
        () -> error(ErrorCode.UNAVAILABLE),
        () -> error(ErrorCode.SERVER_ERROR),
        () -> error(ErrorCode.INVALID),
        () -> CqlCodec.done(4),
        () -> CqlCodec.ready(4));
  }

  @ParameterizedTest
  @MethodSource("answersThatDecideNothing")
  void after_any_other_answer_the_other_node_is_asked(Supplier<Frame> answer) {
    ask();
    int first = answer(answer.get());
    assertThat(told).isEmpty();
    assertThat(answer(roles(1))).isNotEqualTo(first);
    assertThat(told).containsExactly("superuser true");
  }

  @ParameterizedTest
  @MethodSource("answersThatDecideNothing")
  void without_another_node_the_question_has_failed(Supplier<Frame> answer) {
    ask();
    answer(answer.get());
    answer(answer.get());
    assertThat(told)
        .singleElement()
        .asString()
        .startsWith("failed: No node could be asked for the roles of this client: ");
    assertThat(nodes.isAsked()).isFalse();
  }

  @Test
  void without_nodes_the_question_has_failed() {
    nodes.forgetNodes();
    ask();
    assertThat(told)
        .containsExactly(
            "failed: No node could be asked for the roles of this client: no node is known");
  }

  @Test
  void a_node_that_has_left_since_is_passed_over() {
    SuperuserQuestion question =
        new SuperuserQuestion(
            nodes.context, nodes.client, superuser -> told.add("answer"), told::add);
    nodes.forgetNodes();
    question.ask();
    assertThat(told).singleElement().asString().endsWith("no node is known");
  }

  @Test
  void a_node_that_refuses_the_client_refuses_for_all() {
    LinkFailure refusal = new LinkFailure(ErrorCode.BAD_CREDENTIALS, "the password is wrong");
    nodes.nodes.refuses(1, refusal);
    nodes.nodes.refuses(2, refusal);
    ask();
    assertThat(told).containsExactly("failed: the password is wrong");
  }

  @Test
  void after_a_node_that_cannot_be_reached_the_other_is_asked() {
    ask();
    ConsoleNodes.Question first = nodes.question();
    first.asked().ignore();
    nodes.nodes.dies(first.node());
    assertThat(answer(roles(0))).isNotEqualTo(first.node());
    assertThat(told).containsExactly("superuser false");
  }

  @Test
  void after_a_silent_node_the_other_is_asked_and_a_late_answer_is_dropped() {
    ask();
    ConsoleNodes.Question first = nodes.question();
    nodes.nodes.isSilent(first.node());
    assertThat(answer(roles(1))).isNotEqualTo(first.node());
    Frame late = roles(0);
    answers.add(late);
    first.asked().answer(late);
    assertThat(told).containsExactly("superuser true");
  }

  @Test
  void an_answer_that_cannot_be_read_is_a_failure() {
    ask();
    ConsoleNodes.Question question = nodes.question();
    Frame cut = TestFrames.of("84000000" + "08" + "00000008" + "00000002" + "00000000");
    answers.add(cut);
    try {
      question.asked().answer(cut);
    } catch (RuntimeException thrown) {
      told.add("thrown");
    }
    assertThat(told).hasSize(1).first().asString().startsWith("failed: ");
  }
}
