package io.sluice.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.accept.ClientRequest;
import io.sluice.execute.dispatch.Attempt.NodeAnswer;
import io.sluice.execute.reply.Failure;
import io.sluice.link.MemoryNodes;
import io.sluice.statement.Statement;
import io.sluice.wire.CqlCodec;
import io.sluice.wire.ErrorCode;
import io.sluice.wire.Frame;
import io.sluice.wire.TestFrames;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/**
 * Tests the attempts of a request that goes as a whole to one node at a time: what is sent, which
 * outcomes are reported, and what is dropped.
 */
class WholeExchangeTest extends ExchangeFixture {

  private final List<String> outcomes = new ArrayList<>();

  /** Called when a node is silent. */
  private Consumer<Whole> onSilence = whole -> {};

  /** Called when an attempt has ended. */
  private Consumer<Whole> onOutcome = whole -> {};

  /** An exchange of 2 s that records the outcomes of its attempts and leaves the rest to a test. */
  private final class Whole extends WholeExchange {

    Whole(ClientRequest request, Statement statement) {
      super(context, request, statement, TimeUnit.SECONDS.toNanos(2));
    }

    @Override
    protected void begin() {}

    @Override
    public void ended(NodeAnswer answer) {
      if (answer instanceof NodeAnswer.Answered answered) {
        outcomes.add("answered");
        onOutcome.accept(this);
        answer(answered.frame());
      } else if (answer instanceof NodeAnswer.LinkLost lost) {
        outcomes.add(lost.reason() + ", sent: " + lost.sent());
        onOutcome.accept(this);
      }
    }

    @Override
    void onSilence(boolean wasSent) {
      outcomes.add("silent, sent: " + wasSent);
      onSilence.accept(this);
    }

    void over() {
      abandonAttempt();
      fail(new Failure.Refused(ErrorCode.INVALID, "over"));
    }
  }

  private Asked begun() {
    return ask(CqlCodec.query(4, WRITE), Whole::new);
  }

  private static Whole whole(Asked asked) {
    return (Whole) asked.exchange();
  }

  @Test
  void the_answer_of_the_node_is_the_outcome() {
    Asked asked = begun();
    whole(asked).send(id(2));
    sentNoneTo(1, 3);
    sentTo(2).answer(rows(1));
    assertThat(outcomes).containsExactly("answered");
    assertThat(asked.said()).isEqualTo(said(1));
  }

  @Test
  void a_node_that_has_left_the_cluster_is_a_lost_one_that_got_nothing() {
    Asked asked = begun();
    whole(asked).send(id(4));
    assertThat(outcomes).containsExactly("node " + id(4) + " has left the cluster, sent: false");
    assertThat(asked.said()).isEqualTo("nothing");
    whole(asked).over();
  }

  @Test
  void the_first_node_gets_the_bytes_of_the_client_and_each_other_one_a_copy() {
    Asked asked = begun();
    whole(asked).send(id(1));
    MemoryNodes.Asked first = sentTo(1);
    assertThat(sharesMemory(first.request(), asked.request)).isTrue();

    whole(asked).abandonAttempt();
    whole(asked).send(id(2));
    MemoryNodes.Asked second = sentTo(2);
    assertThat(sharesMemory(second.request(), asked.request)).isFalse();
    assertThat(TestFrames.hex(second.request().onStream(0)))
        .isEqualTo(TestFrames.hex(first.request().onStream(0)));
    first.ignore();
    second.ignore();
    whole(asked).over();
  }

  /** Whether the stream id of one frame is that of the other. */
  private static boolean sharesMemory(Frame one, Frame other) {
    other.onStream(17);
    boolean first = one.stream() == 17;
    other.onStream(18);
    return first && one.stream() == 18;
  }

  @Test
  void a_request_that_no_node_has_got_needs_no_copy() {
    Asked asked = begun();
    whole(asked).send(id(4));
    Frame next = whole(asked).outgoing(id(1));
    assertThat(sharesMemory(next, asked.request)).isTrue();
    next.release();
    whole(asked).over();
  }

  @Test
  void a_send_on_the_lane_comes_after_the_step_that_asks_for_it() {
    Asked asked = begun();
    whole(asked).sendOnLane(id(4));
    assertThat(outcomes).isEmpty();
    lane.runSoon();
    assertThat(outcomes).hasSize(1);
    whole(asked).over();
  }

  @Test
  void nothing_is_sent_on_the_lane_when_the_request_is_answered_meanwhile() {
    Asked asked = begun();
    whole(asked).sendOnLane(id(4));
    whole(asked).over();
    lane.runSoon();
    assertThat(outcomes).isEmpty();
    assertThat(asked.said()).isEqualTo("2200");
  }

  @Test
  void an_exception_while_a_request_is_sent_on_the_lane_is_the_error_of_the_request() {
    onOutcome = whole -> throwsFault();
    Asked asked = begun();
    whole(asked).sendOnLane(id(4));
    lane.runSoon();
    assertThat(asked.said()).isEqualTo("1100");
    assertThat(asked.words()).contains("a fault");
  }

  private static void throwsFault() {
    throw new IllegalStateException("a fault");
  }

  @Test
  void the_late_answer_to_an_abandoned_attempt_is_dropped() {
    Asked asked = begun();
    whole(asked).send(id(1));
    MemoryNodes.Asked first = sentTo(1);
    whole(asked).abandonAttempt();
    Frame late = rows(1);
    first.answer(late);
    assertThat(outcomes).isEmpty();
    assertThat(TestFrames.isReleased(late)).isTrue();
    whole(asked).over();
  }

  @Test
  void the_answer_after_the_deadline_is_dropped() {
    Asked asked = begun();
    whole(asked).send(id(1));
    MemoryNodes.Asked sent = sentTo(1);
    lane.pass(2_000);
    assertThat(asked.said()).isEqualTo("1100");
    Frame late = rows(1);
    sent.answer(late);
    assertThat(outcomes).isEmpty();
    assertThat(TestFrames.isReleased(late)).isTrue();
  }

  @Test
  void an_attempt_that_breaks_is_the_error_of_the_request() {
    Asked asked = begun();
    whole(asked).broke(new IllegalStateException("a fault"));
    assertThat(asked.said()).isEqualTo("1100");
    assertThat(asked.words())
        .isEqualTo(
            "Sluice failed to handle a node's answer: java.lang.IllegalStateException: a fault");
  }

  @Test
  void silence_is_reported_with_whether_the_node_may_have_the_request() {
    Asked sent = begun();
    whole(sent).send(id(1));
    MemoryNodes.Asked first = sentTo(1);
    nodes.isSilent(1);
    assertThat(outcomes).isNotEmpty().containsOnly("silent, sent: true");
    first.answer(rows(1));

    outcomes.clear();
    nodes.acceptsNothing(2);
    Asked connecting = begun();
    whole(connecting).send(id(2));
    nodes.isSilent(2);
    assertThat(outcomes).containsExactly("silent, sent: false");
    whole(connecting).over();
  }

  @Test
  void an_exception_in_the_handling_of_silence_is_the_error_of_the_request() {
    onSilence = whole -> throwsFault();
    Asked asked = begun();
    whole(asked).send(id(1));
    MemoryNodes.Asked sent = sentTo(1);
    nodes.isSilent(1);
    assertThat(asked.said()).isEqualTo("1100");
    assertThat(asked.words()).contains("a fault");
    sent.ignore();
  }
}
