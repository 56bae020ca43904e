package io.sluice.accept;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.sluice.memory.MemoryAccount;
import io.sluice.memory.MemoryBudget;
import io.sluice.time.Lane;
import io.sluice.time.TestLane;
import io.sluice.wire.Frame;
import io.sluice.wire.FrameHandlers;
import io.sluice.wire.Framing;
import java.util.function.LongConsumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests of reading from one connection, which stops with seven unanswered requests. */
class IntakeTest {

  private static final int MAX_UNANSWERED = 7;
  private static final int UNREAD_LIMIT = 1 << 20;
  private static final int KIB = 1024;
  private static final long BUDGET = 8L << 20;

  private final TestLane lane = new TestLane();
  private final EmbeddedChannel channel = new EmbeddedChannel();
  private final Framing framing =
      FrameHandlers.install(channel.pipeline(), Framing.Side.SERVER, UNREAD_LIMIT);
  private final MemoryBudget budget = new MemoryBudget(BUDGET);
  private final LongConsumer others = budget.count();
  private final TestLane accounting = new TestLane();
  private final MemoryAccount memory = budget.open(new Holder());
  private boolean evicted;
  private final Outbox outbox =
      Outboxes.of(channel, ReceiverBacklog.UNKNOWN, lane, UNREAD_LIMIT, memory, reason -> {});
  private final Intake intake = new Intake(channel, lane, framing, outbox, memory, MAX_UNANSWERED);

  private final class Holder implements MemoryAccount.Holder {
    @Override
    public Lane lane() {
      return accounting;
    }

    @Override
    public void recount() {
      intake.recount();
    }

    @Override
    public void evict(long bytes) {
      evicted = true;
    }
  }

  @AfterEach
  void close() {
    memory.loggedIn();
    channel.finishAndReleaseAll();
  }

  private boolean reads() {
    return channel.config().isAutoRead();
  }

  private void ask(int requests) {
    for (int i = 0; i < requests; i++) {
      intake.asked(KIB);
    }
  }

  /** Answers requests, as a session does. */
  private void answer(int requests) {
    for (int i = 0; i < requests; i++) {
      intake.answered(KIB);
      intake.update();
    }
  }

  /** Lets the client leave this number of bytes in the channel. */
  private void leavesUnread(int bytes) {
    channel.write(Unpooled.wrappedBuffer(new byte[bytes]));
  }

  private void readsAll() {
    channel.flush();
    channel.releaseOutbound();
  }

  @Test
  void requests_are_counted_until_they_are_answered() {
    assertThat(intake.isBusy()).isFalse();
    ask(1);
    assertThat(intake.isBusy()).isTrue();
    ask(1);
    assertThat(intake.unanswered()).isEqualTo(2);
    assertThat(memory.held()).isEqualTo(2 * KIB);
    answer(2);
    assertThat(intake.isBusy()).isFalse();
    assertThat(memory.held()).isZero();
  }

  /** Reading that begins again at once would stop again with the next request. */
  @Test
  void reading_stops_at_the_most_unanswered_and_begins_again_at_half() {
    ask(6);
    assertThat(reads()).isTrue();
    ask(1);
    assertThat(reads()).isFalse();
    answer(3);
    assertThat(intake.unanswered()).isEqualTo(4);
    assertThat(reads()).isFalse();
    answer(1);
    assertThat(reads()).isTrue();
    assertThat(lane.scheduled()).as("answers come by themselves").isZero();
  }

  @Test
  void from_sixteen_unanswered_requests_on_the_connection_is_deep() {
    ask(15);
    assertThat(intake.isDeep()).isFalse();
    ask(1);
    assertThat(intake.isDeep()).isTrue();
    answer(1);
    assertThat(intake.isDeep()).isFalse();
  }

  @Test
  void a_client_that_leaves_too_much_unread_is_read_again_when_it_has_read() {
    leavesUnread(UNREAD_LIMIT - KIB);
    intake.update();
    assertThat(reads()).isTrue();
    leavesUnread(KIB);
    intake.update();
    assertThat(reads()).isFalse();
    lane.pass(100);
    assertThat(reads()).as("it has not read yet").isFalse();
    readsAll();
    lane.pass(99);
    assertThat(reads()).as("no event tells").isFalse();
    lane.pass(1);
    assertThat(reads()).isTrue();
    assertThat(lane.scheduled()).as("further looks").isZero();
  }

  @Test
  void a_client_above_its_share_of_memory_is_read_again_when_it_is_below() {
    ask(1);
    memory.requests(100 * KIB);
    others.accept(BUDGET - 64 * KIB);
    intake.update();
    assertThat(reads()).isFalse();
    others.accept(0);
    assertThat(reads()).isFalse();
    lane.pass(100);
    assertThat(reads()).isTrue();
    memory.requests(-100 * KIB);
  }

  @Test
  void one_look_is_scheduled_at_a_time() {
    leavesUnread(2 * UNREAD_LIMIT);
    intake.update();
    intake.update();
    intake.update();
    assertThat(lane.scheduled()).isEqualTo(1);
    lane.pass(100);
    assertThat(lane.scheduled()).as("the next one").isEqualTo(1);
  }

  /** The account would keep the bytes that the outbox had at its last flush. */
  @Test
  void a_look_counts_the_unread_bytes_again() {
    leavesUnread(2 * UNREAD_LIMIT);
    intake.update();
    assertThat(memory.held()).isZero();
    memory.loggedIn();
    lane.pass(100);
    assertThat(memory.held()).isGreaterThanOrEqualTo(2 * UNREAD_LIMIT);
    readsAll();
    lane.pass(100);
    assertThat(memory.held()).isZero();
  }

  @Test
  void a_closed_connection_is_looked_at_no_more() {
    leavesUnread(2 * UNREAD_LIMIT);
    intake.update();
    channel.close();
    lane.pass(100);
    assertThat(lane.scheduled()).isZero();
    assertThat(reads()).isFalse();
  }

  /** The farewell reads on, to discard what the client still sends. */
  @Test
  void after_its_end_reading_stays_as_others_set_it() {
    ask(MAX_UNANSWERED);
    leavesUnread(2 * UNREAD_LIMIT);
    intake.end();
    answer(MAX_UNANSWERED);
    assertThat(reads()).as("still stopped").isFalse();
    channel.config().setAutoRead(true);
    ask(MAX_UNANSWERED + 1);
    assertThat(reads()).isTrue();
    assertThat(lane.scheduled()).isZero();
  }

  /** A frame of 100 bytes of which the header and 20 more have arrived. */
  private void halfAFrameArrives() {
    arrives(100, 20);
  }

  private void arrives(int bodyLength, int arrived) {
    ByteBuf begin = Unpooled.directBuffer().writeInt(0x04000000).writeByte(7).writeInt(bodyLength);
    channel.writeInbound(begin.writeZero(arrived));
  }

  /** Such a client cannot complete its frame. */
  @Test
  void a_client_that_is_not_read_does_not_lag_by_its_unfinished_frame() {
    memory.loggedIn();
    arrives(UNREAD_LIMIT, 100_000);
    intake.readComplete();
    ask(MAX_UNANSWERED);
    accounting.pass(5_000);
    others.accept(BUDGET - (BUDGET >> 3));
    assertThat(evicted).isFalse();
    others.accept(0);
    answer(MAX_UNANSWERED);
    accounting.pass(5_000);
    others.accept(BUDGET - (BUDGET >> 3));
    assertThat(evicted).as("when it is read again").isTrue();
  }

  @Test
  void the_memory_of_an_unfinished_frame_is_counted_after_the_read() {
    halfAFrameArrives();
    assertThat(memory.held()).isZero();
    intake.readComplete();
    assertThat(memory.held()).isGreaterThanOrEqualTo(29);
    channel.writeInbound(Unpooled.directBuffer().writeZero(80));
    channel.<Frame>readInbound().release();
    intake.readComplete();
    assertThat(memory.held()).isZero();
  }

  @Test
  void reading_stops_after_a_read_that_fills_memory() {
    intake.asked(100 * KIB);
    others.accept(BUDGET - 200 * KIB);
    assertThat(reads()).isTrue();
    others.accept(BUDGET - 100 * KIB);
    intake.readComplete();
    assertThat(reads()).isFalse();
    others.accept(0);
  }

  @Test
  void a_recount_counts_unread_and_unfinished_bytes_and_leaves_reading_alone() {
    memory.loggedIn();
    leavesUnread(2 * UNREAD_LIMIT);
    halfAFrameArrives();
    intake.recount();
    assertThat(framing.unfinishedBytes()).isGreaterThanOrEqualTo(29);
    assertThat(memory.held()).isEqualTo(outbox.unread() + framing.unfinishedBytes());
    assertThat(reads()).isTrue();
  }
}
