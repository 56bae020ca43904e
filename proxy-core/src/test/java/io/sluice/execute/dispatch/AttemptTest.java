package io.sluice.execute.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.execute.dispatch.Attempt.AttemptListener;
import io.sluice.execute.dispatch.Attempt.NodeAnswer;
import io.sluice.execute.dispatch.PreparedTexts.PreparedText;
import io.sluice.link.LinkKey;
import io.sluice.link.MemoryNodes;
import io.sluice.wire.Answers;
import io.sluice.wire.CqlCodec;
import io.sluice.wire.ErrorCode;
import io.sluice.wire.Frame;
import io.sluice.wire.Identity;
import io.sluice.wire.Opcode;
import io.sluice.wire.PreparedId;
import io.sluice.wire.StatementMetadata;
import io.sluice.wire.TestFrames;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Tests one request at one node. The listener gets one outcome, the frame is released, and a
 * prepared statement that the node has forgotten is prepared again.
 */
class AttemptTest extends AttemptFixture {

  private static final PreparedId OTHER = TestFrames.id("other");
  private static final LinkKey KEY = new LinkKey(Identity.ANONYMOUS, VERSION, null);

  private final Map<PreparedId, PreparedText> texts = new HashMap<>();
  private boolean asTold = true;
  private final Told told = new Told();
  private final Dispatcher dispatcher =
      new Dispatcher(
          nodes,
          new PreparedTexts() {
            @Override
            public @Nullable PreparedText text(PreparedId id) {
              return texts.get(id);
            }

            @Override
            public boolean matchesSent(PreparedId id, int version, StatementMetadata now) {
              return asTold;
            }
          });
  private final Attempt attempt = dispatcher.attempt(lane, NODE, KEY, request, told);

  /** The calls of the listener, in order. */
  private static final class Told implements AttemptListener {
    final List<String> all = new ArrayList<>();
    boolean throwing;

    @Override
    public void ended(NodeAnswer answer) {
      if (answer instanceof NodeAnswer.Answered answered) {
        int error = Answers.errorCode(answered.frame());
        all.add(error < 0 ? "answered" : "error %04x".formatted(error));
        if (throwing) {
          throw new IllegalStateException("no more");
        }
        answered.frame().release();
      } else if (answer instanceof NodeAnswer.LinkLost lost) {
        all.add("lost, sent: " + lost.sent());
      } else {
        all.add("refused");
      }
    }

    @Override
    public void broke(Throwable cause) {
      all.add("broke: " + cause.getMessage());
    }

    @Override
    public void silent(boolean sent) {
      all.add("silent");
    }
  }

  private static Frame rows() {
    return CqlCodec.ready(VERSION);
  }

  private void knows(PreparedId... ids) {
    for (PreparedId id : ids) {
      texts.put(id, new PreparedText("SELECT " + id, null));
    }
  }

  private void forgets(PreparedId id) {
    asked(Opcode.EXECUTE).answer(TestFrames.unprepared(VERSION, id, false));
  }

  private void prepares(PreparedId id) {
    asked(Opcode.PREPARE).answer(TestFrames.prepared(VERSION, id, "v"));
  }

  @Test
  void the_answer_is_reported_once() {
    attempt.start();
    asked(Opcode.EXECUTE).answer(rows());
    assertThat(told.all).containsExactly("answered");
  }

  @Test
  void the_request_to_an_unreachable_node_counts_as_not_sent() {
    nodes.dies(1);
    attempt.start();
    lane.runSoon();
    assertThat(told.all).containsExactly("lost, sent: false");
  }

  @Test
  void the_request_to_a_node_that_dies_counts_as_sent() {
    attempt.start();
    nodes.dies(1);
    assertThat(told.all).containsExactly("lost, sent: true");
  }

  /** The names in other clients' statements would be taken from the other keyspace. */
  @Test
  void a_link_that_a_statement_has_moved_to_another_keyspace_is_closed() {
    Told other = new Told();
    Frame second = execute();
    attempt.start();
    MemoryNodes.Asked first = asked(Opcode.EXECUTE);
    dispatcher.attempt(lane, NODE, KEY, second, other).start();
    asked(Opcode.EXECUTE).ignore();
    first.answer(CqlCodec.keyspaceSet(VERSION, "b"));
    assertThat(told.all).containsExactly("answered");
    assertThat(other.all).containsExactly("lost, sent: true");
  }

  @Test
  void the_late_answer_of_an_abandoned_attempt_is_released() {
    attempt.start();
    MemoryNodes.Asked late = asked(Opcode.EXECUTE);
    attempt.abandon();
    Frame answer = rows();
    late.answer(answer);
    assertThat(told.all).isEmpty();
    assertThat(TestFrames.isReleased(answer)).as("the late answer").isTrue();
  }

  @Test
  void an_answer_whose_handler_throws_is_released_and_the_failure_reported() {
    told.throwing = true;
    attempt.start();
    Frame answer = rows();
    asked(Opcode.EXECUTE).answer(answer);
    assertThat(told.all).containsExactly("answered", "broke: no more");
    assertThat(TestFrames.isReleased(answer)).as("the answer").isTrue();
  }

  @Test
  void a_statement_that_the_node_has_forgotten_is_prepared_and_executed_again() {
    knows(ID);
    attempt.start();
    forgets(ID);
    prepares(ID);
    asked(Opcode.EXECUTE).answer(rows());
    assertThat(told.all).containsExactly("answered");
  }

  @Test
  void a_statement_is_prepared_once_and_then_the_client_gets_unprepared() {
    knows(ID);
    attempt.start();
    forgets(ID);
    prepares(ID);
    forgets(ID);
    assertThat(told.all).containsExactly("error 2500");
  }

  @Test
  void each_statement_of_a_batch_is_prepared_once() {
    knows(ID, OTHER);
    attempt.start();
    forgets(ID);
    prepares(ID);
    forgets(OTHER);
    prepares(OTHER);
    asked(Opcode.EXECUTE).answer(rows());
    assertThat(told.all).containsExactly("answered");
  }

  @Test
  void for_a_statement_of_unknown_text_the_client_gets_unprepared() {
    attempt.start();
    forgets(ID);
    assertThat(told.all).containsExactly("error 2500");
    assertThat(nodes.next(1)).isNull();
  }

  /** A driver reads the new columns only after UNPREPARED. */
  @Test
  void a_statement_whose_columns_have_changed_is_not_executed() {
    knows(ID);
    asTold = false;
    attempt.start();
    forgets(ID);
    prepares(ID);
    assertThat(told.all).containsExactly("error 2500");
    assertThat(nodes.next(1)).isNull();
  }

  @Test
  void a_statement_with_a_new_id_is_not_executed() {
    knows(ID);
    attempt.start();
    forgets(ID);
    prepares(OTHER);
    assertThat(told.all).containsExactly("error 2500");
  }

  @Test
  void when_the_node_refuses_to_prepare_the_client_gets_unprepared() {
    knows(ID);
    attempt.start();
    forgets(ID);
    asked(Opcode.PREPARE).answer(TestFrames.error(VERSION, ErrorCode.INVALID));
    assertThat(told.all).containsExactly("error 2500");
  }

  @Test
  void an_attempt_abandoned_during_prepare_is_not_sent_again() {
    knows(ID);
    attempt.start();
    forgets(ID);
    attempt.abandon();
    prepares(ID);
    assertThat(told.all).isEmpty();
    assertThat(nodes.next(1)).isNull();
  }
}
