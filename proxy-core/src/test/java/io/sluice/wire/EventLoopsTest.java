package io.sluice.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.netty.buffer.ByteBuf;
import io.netty.channel.epoll.Epoll;
import io.sluice.testkit.CapturedLog;
import io.sluice.time.Lane;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class EventLoopsTest {

  private static final int WRITTEN = 16 << 20;

  @Test
  void a_large_buffer_takes_its_bytes_of_the_free_direct_memory() {
    long before = EventLoops.freeDirectMemory();
    ByteBuf large = Buffers.POOL.directBuffer(8 << 20);
    try {
      assertThat(EventLoops.freeDirectMemory()).isEqualTo(before - (8 << 20));
    } finally {
      large.release();
    }
    assertThat(EventLoops.freeDirectMemory()).isEqualTo(before);
  }

  /** Bytes that a client does not read stay in the proxy, where others can overtake them. */
  @Test
  void the_system_buffers_little_for_a_client_that_does_not_read() throws Exception {
    assumeTrue(Epoll.isAvailable());
    AcceptedClient.with(
        (channel, client) -> {
          long kept = AcceptedClient.write(channel, WRITTEN);
          assertThat(client.isConnected()).isTrue();
          // The difference is the client's own receive buffer.
          assertThat(WRITTEN - kept).isBetween(1L, 2L << 20);
        });
  }

  private static final class Outcome {
    private final CompletableFuture<Throwable> handed = new CompletableFuture<>();
    private final CompletableFuture<String> later = new CompletableFuture<>();
  }

  /** Runs a task that fails, and then one that does not, on the same lane. */
  private static Outcome fail(EventLoops loops, Runnable task) {
    Lane lane = loops.anyLane();
    Outcome outcome = new Outcome();
    lane.execute(
        () -> {
          Thread.currentThread()
              .setUncaughtExceptionHandler((thread, e) -> outcome.handed.complete(e));
          lane.schedule(1, task);
          lane.schedule(TimeUnit.MILLISECONDS.toNanos(1), () -> outcome.later.complete("ran"));
        });
    return outcome;
  }

  @Test
  void a_delayed_task_that_throws_is_logged() throws Exception {
    try (CapturedLog log = CapturedLog.of(Lane.class);
        EventLoops loops = new EventLoops(1)) {
      Outcome outcome =
          fail(
              loops,
              () -> {
                throw new IllegalStateException("faulty");
              });
      assertThat(outcome.later.get(10, TimeUnit.SECONDS)).isEqualTo("ran");
      assertThat(log.lines())
          .containsExactly("A delayed task failed: java.lang.IllegalStateException: faulty");
      assertThat(outcome.handed).isNotDone();
    }
  }

  @Test
  void missing_memory_in_a_delayed_task_is_handed_on() throws Exception {
    try (CapturedLog log = CapturedLog.of(Lane.class);
        EventLoops loops = new EventLoops(1)) {
      OutOfMemoryError missing = new OutOfMemoryError("for the test");
      Outcome outcome =
          fail(
              loops,
              () -> {
                throw missing;
              });
      assertThat(outcome.handed.get(10, TimeUnit.SECONDS)).isSameAs(missing);
      assertThat(outcome.later.get(10, TimeUnit.SECONDS)).isEqualTo("ran");
      assertThat(log.lines()).containsExactly("A delayed task failed");
    }
  }
}
