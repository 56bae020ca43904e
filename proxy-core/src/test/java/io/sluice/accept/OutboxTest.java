package io.sluice.accept;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.embedded.EmbeddedChannel;
import io.sluice.memory.MemoryAccount;
import io.sluice.memory.MemoryBudget;
import io.sluice.time.Lane;
import io.sluice.wire.ColumnType;
import io.sluice.wire.CountedBuffers;
import io.sluice.wire.CqlCodec;
import io.sluice.wire.Frame;
import io.sluice.wire.RowSet;
import io.sluice.wire.TestFrames;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class OutboxTest {

  private static final int LIMIT = 1 << 20;

  private int flushes;
  private final EmbeddedChannel channel =
      new EmbeddedChannel(
          new ChannelOutboundHandlerAdapter() {
            @Override
            public void flush(ChannelHandlerContext ctx) {
              flushes++;
              ctx.flush();
            }
          });
  private final Queue<Runnable> soon = new ArrayDeque<>();
  private final Queue<Runnable> later = new ArrayDeque<>();
  private final Backlog backlog = new Backlog();
  private final MemoryBudget budget = new MemoryBudget(1 << 30);
  private final Outbox outbox = outbox();

  private Outbox outbox() {
    TestLane lane = new TestLane();
    MemoryAccount memory = budget.open(new AnyHolder(new io.sluice.time.TestLane()));
    return Outboxes.of(channel, backlog, lane, LIMIT, memory, reason -> channel.close());
  }

  @AfterEach
  void release() {
    outbox.close();
    channel.runPendingTasks();
    assertThat(left()).as("what left and was not looked at").allMatch(name -> name.length() == 1);
    channel.close();
  }

  @Test
  void answers_leave_in_order_while_the_client_keeps_up() {
    outbox.add(large("a"));
    outbox.add(small("b"));
    turn();
    assertThat(left()).containsExactly("a", "b");
  }

  @Test
  void small_answers_pass_large_ones_when_the_client_does_not_keep_up() {
    clientReads(false);
    outbox.add(large("a"));
    outbox.add(small("b"));
    turn();
    assertThat(left()).containsExactly("b");
    clientReads(true);
    outbox.drain();
    assertThat(left()).containsExactly("a");
  }

  @Test
  void large_answers_keep_their_order() {
    clientReads(false);
    outbox.add(large("a"));
    outbox.add(large("b"));
    clientReads(true);
    outbox.drain();
    assertThat(left()).containsExactly("a", "b");
  }

  @Test
  void reads_with_large_answers_wait_until_the_client_has_caught_up() {
    List<String> ran = new ArrayList<>();
    outbox.whenDrained(() -> ran.add("at once"));
    clientReads(false);
    assertThat(outbox.isCongested()).isTrue();
    outbox.whenDrained(() -> ran.add("in its turn"));
    assertThat(ran).containsExactly("at once");
    clientReads(true);
    outbox.drain();
    assertThat(ran).containsExactly("at once", "in its turn");
  }

  @Test
  void a_read_that_has_ended_is_forgotten() {
    List<String> ran = new ArrayList<>();
    clientReads(false);
    Runnable ended = () -> ran.add("ended");
    outbox.whenDrained(ended);
    outbox.whenDrained(() -> ran.add("waits"));
    outbox.forget(ended);
    clientReads(true);
    outbox.drain();
    assertThat(ran).containsExactly("waits");
  }

  @Test
  void a_lost_client_keeps_no_read_waiting_and_no_buffer() {
    List<String> ran = new ArrayList<>();
    clientReads(false);
    Frame held = large("a");
    Frame second = held.share();
    outbox.add(held);
    outbox.whenDrained(() -> ran.add("told"));
    outbox.close();
    assertThat(ran).containsExactly("told");
    second.release();
    turn();
    assertThat(left()).isEmpty();
  }

  /** Until then another lane would take the memory of the answer for its own. */
  @Test
  void an_answer_above_its_share_counts_before_it_is_flushed() {
    clientReads(false);
    outbox.add(large("a"));
    assertThat(budget.used()).as("below its share").isZero();
    long others = (1L << 30) - 150_000;
    budget.count().accept(others);
    outbox.add(answer("b", 100_000));
    assertThat(budget.used()).isGreaterThan(others + 140_000);
    clientReads(true);
    outbox.drain();
    assertThat(left()).containsExactly("a", "b");
  }

  @Test
  void a_client_that_reads_nothing_for_five_seconds_is_disconnected() {
    clientReads(false);
    for (int i = 0; i < 30; i++) {
      outbox.add(large("x"));
    }
    turn();
    assertThat(outbox.isFull()).isTrue();
    assertThat(channel.isOpen()).isTrue();
    later.remove().run();
    assertThat(channel.isOpen()).isFalse();
  }

  @Test
  void small_answers_pass_large_ones_while_the_client_has_not_read_what_it_received() {
    backlog.bytes = 1 << 20;
    outbox.add(large("a"));
    outbox.add(small("b"));
    turn();
    assertThat(left()).containsExactly("b");
    backlog.bytes = 1 << 18;
    later.remove().run();
    assertThat(left()).containsExactly("a");
    assertThat(later).as("further looks").isEmpty();
  }

  @Test
  void waiting_reads_are_released_when_the_client_has_read_what_it_received() {
    List<String> ran = new ArrayList<>();
    backlog.bytes = 1 << 20;
    outbox.whenDrained(() -> ran.add("told"));
    later.remove().run();
    assertThat(ran).isEmpty();
    backlog.bytes = 0;
    later.remove().run();
    assertThat(ran).containsExactly("told");
    assertThat(later).as("further looks").isEmpty();
  }

  /** The answers of the first reads may hold the others back again, whose turns would be wasted. */
  @Test
  void eight_of_many_waiting_reads_are_released_at_a_time() {
    List<Integer> ran = new ArrayList<>();
    clientReads(false);
    for (int i = 0; i < 20; i++) {
      int number = i;
      outbox.whenDrained(() -> ran.add(number));
    }
    clientReads(true);
    outbox.drain();
    assertThat(ran).containsExactly(0, 1, 2, 3, 4, 5, 6, 7);
    clientReads(false);
    later.remove().run();
    assertThat(ran).hasSize(8);
    clientReads(true);
    outbox.drain();
    assertThat(ran).hasSize(16);
    later.remove().run();
    assertThat(ran).hasSize(20).isSorted();
  }

  @Test
  void the_estimate_is_kept_for_a_client_that_keeps_up_however_many_reads_wait() {
    backlog.bytes = 100_000;
    clientReads(false);
    for (int i = 0; i < 80; i++) {
      outbox.whenDrained(() -> {});
    }
    clientReads(true);
    outbox.drain();
    while (!later.isEmpty()) {
      later.remove().run();
    }
    assertThat(backlog.bytes).as("what it has not read").isEqualTo(100_000);
  }

  @Test
  void after_four_looks_without_progress_the_estimate_is_reset_and_one_large_answer_goes() {
    backlog.bytes = 1 << 20;
    outbox.add(large("a"));
    turn();
    for (int i = 0; i < 3; i++) {
      later.remove().run();
      assertThat(left()).isEmpty();
    }
    later.remove().run();
    assertThat(left()).containsExactly("a");
  }

  @Test
  void range_reads_of_a_client_that_has_not_read_wait_while_memory_is_filling() {
    List<String> ran = new ArrayList<>();
    channel.config().setWriteBufferWaterMark(new WriteBufferWaterMark(64 << 10, 256 << 10));
    channel.write(Unpooled.wrappedBuffer(new byte[100_000]), channel.voidPromise());
    assertThat(outbox.holdsBack()).isFalse();
    budget.count().accept(700L << 20);
    assertThat(outbox.isCongested()).isFalse();
    assertThat(outbox.holdsBack()).isTrue();
    outbox.whenDrained(() -> ran.add("told"));
    assertThat(ran).isEmpty();
    channel.flush();
    ByteBuf taken = channel.readOutbound();
    taken.release();
    outbox.drain();
    assertThat(ran).containsExactly("told");
  }

  @Test
  void range_reads_of_a_client_that_has_read_do_not_wait_for_memory() {
    budget.count().accept(700L << 20);
    assertThat(outbox.holdsBack()).isFalse();
  }

  /** A read that could only wait for this client lets others go first. */
  @Test
  void a_client_that_leaves_its_share_of_memory_unread_is_full() {
    clientReads(false);
    budget.count().accept(2L << 30);
    outbox.add(large("a"));
    assertThat(outbox.isFull()).isFalse();
    outbox.add(large("b"));
    assertThat(outbox.isFull()).isTrue();
    clientReads(true);
    outbox.drain();
    assertThat(outbox.isFull()).isFalse();
    assertThat(left()).hasSize(2);
  }

  /** The question is a system call, and the proxy sends hundreds of thousands of answers. */
  @Test
  void the_system_is_not_asked_what_a_client_has_read_while_nothing_waits() {
    for (int i = 0; i < 10; i++) {
      outbox.add(small("a"));
      turn();
    }
    assertThat(left()).hasSize(10);
    assertThat(backlog.asked).isZero();
  }

  /** Occasional looks do not see the window at its widest. */
  @Test
  void the_system_is_asked_before_each_large_answer() {
    for (int i = 1; i <= 10; i++) {
      outbox.add(large("a"));
      turn();
      assertThat(backlog.asked).isGreaterThanOrEqualTo(i);
    }
  }

  @Test
  void all_answers_of_one_turn_leave_by_one_flush_and_the_last_waits_for_nothing_else() {
    for (String name : List.of("a", "b", "c")) {
      outbox.add(small(name));
    }
    assertThat(flushes).as("before the turn ends").isZero();
    turn();
    assertThat(flushes).isEqualTo(1);
    assertThat(left()).containsExactly("a", "b", "c");
    outbox.add(small("d"));
    turn();
    assertThat(flushes).isEqualTo(2);
    assertThat(left()).containsExactly("d");
    assertThat(soon).isEmpty();
  }

  @Test
  void waiting_answers_retain_no_large_read_buffer() {
    CountedBuffers buffers = new CountedBuffers();
    clientReads(false);
    outbox.add(TestFrames.inLargeRead(buffers, large("a")));
    turn();
    for (int i = 0; i < 10; i++) {
      outbox.add(TestFrames.inLargeRead(buffers, small("b")));
    }
    assertThat(buffers.pinnedDirectMemory()).isLessThan(128 * 1024);
    clientReads(true);
    outbox.drain();
    turn();
    assertThat(left()).hasSize(11);
    assertThat(buffers.held()).isZero();
  }

  /** The client may stop reading during the flush, when the answer was written already. */
  @Test
  void a_small_answer_keeps_no_large_read_buffer_before_the_client_is_behind() {
    CountedBuffers buffers = new CountedBuffers();
    outbox.add(TestFrames.inLargeRead(buffers, small("a")));
    assertThat(buffers.pinnedDirectMemory()).isLessThan(16 * 1024);
    turn();
    assertThat(left()).containsExactly("a");
  }

  private static final class Backlog implements ReceiverBacklog {
    private long bytes;
    private int asked;

    @Override
    public long bytes() {
      asked++;
      return bytes;
    }

    @Override
    public void forget() {
      bytes = 0;
    }
  }

  private void clientReads(boolean reads) {
    channel.unsafe().outboundBuffer().setUserDefinedWritability(1, reads);
  }

  private void turn() {
    for (Runnable task = soon.poll(); task != null; task = soon.poll()) {
      task.run();
    }
  }

  /** Returns the messages that were sent since the last call, by their first letters. */
  private List<String> left() {
    List<String> names = new ArrayList<>();
    for (Object out = channel.readOutbound(); out != null; out = channel.readOutbound()) {
      names.add(out instanceof Frame frame ? name(frame) : String.valueOf(out));
    }
    return names;
  }

  private static String name(Frame frame) {
    String name = CqlCodec.readRows(frame).columns().get(0).name();
    frame.release();
    return name;
  }

  private static Frame small(String name) {
    return answer(name, 10);
  }

  private static Frame large(String name) {
    return answer(name, 40_000);
  }

  private static Frame answer(String name, int bytes) {
    RowSet.Column column = new RowSet.Column("ks", "t", name, ColumnType.VARCHAR);
    return CqlCodec.rows(
        4, new RowSet(List.of(column), List.of(List.of(ByteBuffer.allocate(bytes)))));
  }

  private final class TestLane implements Lane {
    @Override
    public boolean isCurrent() {
      return true;
    }

    @Override
    public void execute(Runnable task) {
      soon.add(task);
    }

    @Override
    public Timeout schedule(long delayNanos, Runnable task) {
      later.add(task);
      return () -> later.remove(task);
    }
  }
}
