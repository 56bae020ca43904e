package io.sluice.evaluate.drive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.sluice.load.RateProfile;
import io.sluice.load.RequestFailure;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** Arrivals at a function as the target; the test determines when it answers. */
class OpenLoopTest {
  private static final LoadTime TIME = new LoadTime(Duration.ZERO, Duration.ofMillis(50));
  private static final RateProfile RATE = RateProfile.steady(4_000);
  private static final Mix EVEN = new Mix(1, 1, 0, 10, false);

  private final Queue<CompletableFuture<RequestFailure>> open = new ConcurrentLinkedQueue<>();
  private final List<RequestClass> drawn = new ArrayList<>();

  private OpenLoop loop(
      Mix mix, int mostInFlight, Supplier<CompletableFuture<RequestFailure>> send) {
    return new OpenLoop(
        mix,
        (of, random) -> {
          drawn.add(of);
          return new Ask(of, send::get);
        },
        mostInFlight);
  }

  private static CompletableFuture<RequestFailure> right() {
    return CompletableFuture.completedFuture(null);
  }

  private CompletableFuture<RequestFailure> kept() {
    CompletableFuture<RequestFailure> answer = new CompletableFuture<>();
    open.add(answer);
    return answer;
  }

  @Test
  void requests_arrive_without_any_answer() throws Exception {
    OpenLoop loop = loop(EVEN, 1_000, this::kept);
    CompletableFuture<Observed> run = CompletableFuture.supplyAsync(() -> run(loop, 1));
    while (open.size() < 20) {
      Thread.onSpinWait();
    }
    assertThat(run).isNotDone();

    while (!run.isDone()) {
      answerAll();
    }

    assertThat(count(run.get())).isEqualTo(drawn.size());
  }

  @Test
  void a_time_counts_from_the_arrival() throws Exception {
    long[] busy = {0};
    OpenLoop loop =
        loop(
            EVEN,
            1_000,
            () -> {
              if (busy[0] == 0) {
                busy[0] = System.nanoTime();
                spin(Duration.ofMillis(20));
              }
              return right();
            });

    Observed seen = run(loop, 1);

    long most =
        Math.max(
            seen.of(RequestClass.SINGLE).micros().getMaxValue(),
            seen.of(RequestClass.RANGE).micros().getMaxValue());
    long late =
        seen.of(RequestClass.SINGLE).micros().getCountBetweenValues(10_000, most)
            + seen.of(RequestClass.RANGE).micros().getCountBetweenValues(10_000, most);
    assertThat(late)
        .as("those that arrived in the first half of a stall of 20 ms, at 4 a millisecond")
        .isGreaterThan(15);
  }

  @Test
  void a_request_beyond_the_most_in_flight_is_not_sent_and_counts_as_failed() throws Exception {
    OpenLoop loop = loop(EVEN, 8, this::kept);
    CompletableFuture<Observed> run = CompletableFuture.supplyAsync(() -> run(loop, 1));
    while (open.size() < 8) {
      Thread.onSpinWait();
    }
    spin(TIME.counted().multipliedBy(2));
    int sent = open.size();
    answerAll();

    Observed seen = run.get();

    assertThat(sent).isEqualTo(8);
    assertThat(count(seen)).isEqualTo(8);
    assertThat(failed(seen)).isEqualTo(drawn.size() - 8).isPositive();
    assertThat(seen.of(RequestClass.SINGLE).failures()).containsOnlyKeys("NOT_SENT");
  }

  @Test
  void each_class_arrives_as_its_share_says_and_the_same_seed_arrives_alike() {
    Mix mix = new Mix(9, 1, 0, 10, false);
    run(loop(mix, 1_000, OpenLoopTest::right), 7);
    List<RequestClass> first = List.copyOf(drawn);
    drawn.clear();
    run(loop(mix, 1_000, OpenLoopTest::right), 7);

    assertThat(drawn).isEqualTo(first);
    assertThat(first).doesNotContain(RequestClass.WRITE);
    double ranges = first.stream().filter(RequestClass.RANGE::equals).count();
    assertThat(ranges / first.size()).isCloseTo(0.1, within(0.08));
  }

  private static Observed run(OpenLoop loop, long seed) {
    try {
      return loop.run(RATE, TIME, seed);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private void answerAll() {
    for (CompletableFuture<RequestFailure> each = open.poll(); each != null; each = open.poll()) {
      each.complete(null);
    }
  }

  private static void spin(Duration time) {
    long until = System.nanoTime() + time.toNanos();
    while (System.nanoTime() - until < 0) {
      Thread.onSpinWait();
    }
  }

  private static long count(Observed seen) {
    return seen.of(RequestClass.SINGLE).micros().getTotalCount()
        + seen.of(RequestClass.RANGE).micros().getTotalCount();
  }

  private static long failed(Observed seen) {
    return seen.of(RequestClass.SINGLE).failures().values().stream().mapToLong(n -> n).sum()
        + seen.of(RequestClass.RANGE).failures().values().stream().mapToLong(n -> n).sum();
  }
}
