package io.sluice.execute.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.Unpooled;
import io.sluice.execute.dispatch.Attempt.AttemptListener;
import io.sluice.execute.dispatch.Attempt.NodeAnswer;
import io.sluice.execute.dispatch.PreparedTexts.PreparedText;
import io.sluice.link.LinkFailure;
import io.sluice.link.LinkKey;
import io.sluice.link.Links;
import io.sluice.link.MemoryNodes;
import io.sluice.wire.Answers;
import io.sluice.wire.CqlCodec;
import io.sluice.wire.CqlRequest;
import io.sluice.wire.ErrorCode;
import io.sluice.wire.Frame;
import io.sluice.wire.Identity;
import io.sluice.wire.Opcode;
import io.sluice.wire.PreparedId;
import io.sluice.wire.StatementMetadata;
import io.sluice.wire.TestFrames;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Tests the ends of a statement's preparation at a node that has forgotten it, and of requests for
 * which no link can be had. The client gets one answer, and every frame is released.
 */
class ReprepareTest extends AttemptFixture {

  private static final LinkKey KEY = new LinkKey(Identity.ANONYMOUS, VERSION, "ks");

  private final List<LinkKey> keys = new ArrayList<>();
  private final List<String> told = new ArrayList<>();

  /** How the next link for a PREPARE fails; null to open it. */
  private @Nullable LinkFailure failing;

  private final Frame unprepared = TestFrames.unprepared(VERSION, ID, true);
  private final Attempt attempt = attempt(request);

  private Attempt attempt(Frame sent) {
    Links links =
        (on, node, key, waiter) -> {
          keys.add(key);
          if (keys.size() > 1 && failing != null) {
            waiter.failed(failing);
          } else {
            nodes.acquire(on, node, key, waiter);
          }
        };
    return new Dispatcher(links, new Texts()).attempt(lane, NODE, KEY, sent, new Told());
  }

  /** One known statement, whose metadata is as it was sent. */
  private static final class Texts implements PreparedTexts {
    @Override
    public @Nullable PreparedText text(PreparedId id) {
      return id.equals(ID) ? new PreparedText("SELECT v FROM t", "other") : null;
    }

    @Override
    public boolean matchesSent(PreparedId id, int version, StatementMetadata now) {
      return true;
    }
  }

  private final class Told implements AttemptListener {
    @Override
    public void ended(NodeAnswer answer) {
      if (answer instanceof NodeAnswer.Answered answered) {
        int error = Answers.errorCode(answered.frame());
        told.add(error < 0 ? "answered" : "error %04x".formatted(error));
        answered.frame().release();
      } else if (answer instanceof NodeAnswer.LinkLost lost) {
        told.add("lost, sent: " + lost.sent());
      } else if (answer instanceof NodeAnswer.Refused refused) {
        told.add(
            "refused %04x, elsewhere: %b"
                .formatted(refused.errorCode(), refused.mayDifferElsewhere()));
      }
    }

    @Override
    public void broke(Throwable cause) {
      told.add("broke");
    }

    @Override
    public void silent(boolean sent) {
      told.add("silent, sent: " + sent);
    }
  }

  @AfterEach
  void the_first_answer_is_released() {
    unprepared.releaseUnlessGone();
  }

  /** Returns a frame without its last bytes. Takes the frame over. */
  private static Frame cut(Frame whole, int bytes) {
    byte[] all = HexFormat.of().parseHex(TestFrames.hex(whole));
    whole.release();
    return TestFrames.of(Unpooled.wrappedBuffer(all, 0, all.length - bytes));
  }

  private void forgotten() {
    attempt.start();
    asked(Opcode.EXECUTE).answer(unprepared);
  }

  private void theClientPreparesAgain() {
    assertThat(told).containsExactly("error 2500");
    assertThat(TestFrames.isReleased(unprepared)).as("the first answer").isTrue();
  }

  @Test
  void the_statement_is_prepared_in_its_own_keyspace_as_the_same_role() {
    forgotten();
    MemoryNodes.Asked prepare = asked(Opcode.PREPARE);
    assertThat(CqlRequest.of(prepare.request()))
        .isEqualTo(new CqlRequest.Prepare("SELECT v FROM t", null));
    assertThat(keys).containsExactly(KEY, new LinkKey(Identity.ANONYMOUS, VERSION, "other"));
    Frame prepared = TestFrames.prepared(VERSION, ID, "v");
    prepare.answer(prepared);
    assertThat(TestFrames.isReleased(prepared)).isTrue();
    assertThat(TestFrames.isReleased(unprepared)).isTrue();
    asked(Opcode.EXECUTE).answer(CqlCodec.ready(VERSION));
    assertThat(told).containsExactly("answered");
  }

  @Test
  void without_a_link_the_client_prepares_again() {
    failing = new LinkFailure(ErrorCode.INVALID, "no such keyspace");
    forgotten();
    theClientPreparesAgain();
  }

  @Test
  void when_the_link_is_lost_the_client_prepares_again_or_goes_elsewhere() {
    forgotten();
    asked(Opcode.PREPARE).ignore();
    nodes.dies(1);
    assertThat(told).hasSize(1);
    unprepared.releaseUnlessGone();
  }

  @Test
  void an_answer_that_cannot_be_read_is_no_prepared_statement() {
    forgotten();
    asked(Opcode.PREPARE).answer(cut(TestFrames.prepared(VERSION, ID, "v"), 6));
    theClientPreparesAgain();
  }

  @Test
  void rows_are_no_prepared_statement() {
    forgotten();
    asked(Opcode.PREPARE).answer(TestFrames.used(VERSION, "ks"));
    theClientPreparesAgain();
  }

  @Test
  void a_silent_node_is_reported_while_it_prepares() {
    forgotten();
    MemoryNodes.Asked prepare = asked(Opcode.PREPARE);
    attempt.silent();
    assertThat(told).containsExactly("silent, sent: true");
    told.clear();
    prepare.answer(TestFrames.error(VERSION, ErrorCode.INVALID));
    theClientPreparesAgain();
  }

  @Test
  void an_abandoned_attempt_gives_the_first_answer_back_when_the_preparation_fails() {
    forgotten();
    attempt.abandon();
    asked(Opcode.PREPARE).answer(TestFrames.error(VERSION, ErrorCode.INVALID));
    assertThat(told).isEmpty();
    assertThat(TestFrames.isReleased(unprepared)).isTrue();
  }

  @Test
  void a_node_that_refuses_the_link_refuses_the_request() {
    failing = new LinkFailure(ErrorCode.BAD_CREDENTIALS, "no");
    keys.add(KEY);
    attempt.start();
    assertThat(told).containsExactly("refused 0100, elsewhere: false");
    assertThat(attempt.isSent()).isFalse();
  }

  /** A node that was down during a CREATE KEYSPACE does not know it for a while. */
  @Test
  void an_unknown_keyspace_may_be_known_elsewhere() {
    failing = new LinkFailure(ErrorCode.INVALID, "no such keyspace");
    keys.add(KEY);
    attempt.start();
    assertThat(told).containsExactly("refused 2200, elsewhere: true");
  }

  @Test
  void a_node_that_cannot_decide_now_counts_as_lost_before_the_request_was_sent() {
    failing = new LinkFailure(ErrorCode.OVERLOADED, "busy");
    keys.add(KEY);
    attempt.start();
    assertThat(told).containsExactly("lost, sent: false");
  }

  @Test
  void an_attempt_abandoned_before_its_link_opens_is_not_sent() {
    attempt.abandon();
    attempt.start();
    assertThat(nodes.next(1)).isNull();
    assertThat(told).isEmpty();
    assertThat(attempt.isSent()).isFalse();
  }

  @Test
  void silence_after_the_end_is_not_reported() {
    attempt.start();
    asked(Opcode.EXECUTE).answer(CqlCodec.ready(VERSION));
    attempt.silent();
    assertThat(told).containsExactly("answered");
  }

  @Test
  void a_fault_in_reading_the_answer_is_reported_and_the_answer_released() {
    attempt.start();
    Frame cut = cut(TestFrames.unprepared(VERSION, ID, false), 4);
    asked(Opcode.EXECUTE).answer(cut);
    assertThat(told).containsExactly("broke");
    assertThat(TestFrames.isReleased(cut)).isTrue();
  }

  @Test
  void a_link_that_a_statement_leaves_in_its_keyspace_stays_open() {
    attempt.start();
    MemoryNodes.Asked first = asked(Opcode.EXECUTE);
    Frame second = execute();
    attempt(second).start();
    MemoryNodes.Asked waiting = asked(Opcode.EXECUTE);
    first.answer(TestFrames.used(VERSION, "ks"));
    assertThat(told).containsExactly("answered");
    assertThat(attempt.isSent()).isTrue();
    waiting.answer(CqlCodec.ready(VERSION));
    assertThat(told).containsExactly("answered", "answered");
    assertThat(TestFrames.isReleased(second)).isTrue();
  }
}
