package io.sluice.evaluate.drive;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.DriverTimeoutException;
import io.sluice.load.RequestFailure;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Clients with a function as their target and a clock that advances by a tenth of a millisecond at
 * each reading.
 */
class ClosedLoopTest {
  private static final LoadTime TIME = new LoadTime(Duration.ZERO, Duration.ofMillis(40));
  private static final Executor OTHER_THREADS =
      Executors.newFixedThreadPool(
          2,
          task -> {
            Thread thread = new Thread(task, "answers");
            thread.setDaemon(true);
            return thread;
          });

  private static ClosedLoop loop(Requests requests) {
    AtomicLong now = new AtomicLong();
    return new ClosedLoop(requests, () -> now.addAndGet(100_000));
  }

  private static Requests asking(RequestClass of, Runnable work, RequestFailure failure) {
    return random ->
        new Ask(
            of,
            () ->
                CompletableFuture.supplyAsync(
                    () -> {
                      work.run();
                      return failure;
                    },
                    OTHER_THREADS));
  }

  @Test
  void each_client_has_one_request_in_flight() throws InterruptedException {
    AtomicInteger drawn = new AtomicInteger();
    AtomicInteger answered = new AtomicInteger();
    List<Integer> underWay = new ArrayList<>();
    Requests requests =
        random -> {
          synchronized (underWay) {
            underWay.add(drawn.incrementAndGet() - answered.get());
          }
          return asking(RequestClass.SINGLE, answered::incrementAndGet, null).next(random);
        };

    Observed seen = loop(requests).run(3, TIME, 1);

    assertThat(underWay).allMatch(n -> n >= 1 && n <= 3);
    assertThat(drawn).hasValue(answered.get());
    assertThat(seen.of(RequestClass.SINGLE).micros().getTotalCount()).isPositive();
  }

  @Test
  void an_answer_that_is_wrong_is_a_failure_of_its_class() throws InterruptedException {
    Requests requests = asking(RequestClass.LIST, () -> {}, RequestFailure.WRONG_ROWS);

    Observed seen = loop(requests).run(2, TIME, 1);

    assertThat(seen.of(RequestClass.LIST).failures()).containsOnlyKeys("WRONG_ROWS");
    assertThat(seen.of(RequestClass.LIST).inTime()).isZero();
    assertThat(seen.of(RequestClass.SINGLE).failures()).isEmpty();
  }

  @Test
  void a_client_goes_on_after_an_error() throws InterruptedException {
    Requests requests =
        asking(
            RequestClass.SCAN,
            () -> {
              throw new DriverTimeoutException("late");
            },
            null);

    Observed seen = loop(requests).run(1, TIME, 1);

    assertThat(seen.of(RequestClass.SCAN).failures()).containsOnlyKeys("TIMEOUT");
  }

  @Test
  @Timeout(60)
  void a_request_that_cannot_be_sent_is_an_error_and_does_not_stop_its_client()
      throws InterruptedException {
    AtomicInteger drawn = new AtomicInteger();
    Requests requests =
        random ->
            drawn.incrementAndGet() % 3 == 0
                ? new Ask(
                    RequestClass.SINGLE,
                    () -> {
                      throw new IllegalStateException("no value for this marker");
                    })
                : asking(RequestClass.SINGLE, () -> {}, null).next(random);

    Observed seen = loop(requests).run(2, TIME, 1);

    assertThat(seen.of(RequestClass.SINGLE).failures()).containsOnlyKeys("ERROR");
    assertThat(seen.of(RequestClass.SINGLE).micros().getTotalCount()).isPositive();
  }

  @Test
  void two_loads_run_side_by_side_with_separate_observations() throws InterruptedException {
    ClosedLoop.Running flood = loop(asking(RequestClass.RANGE, () -> {}, null)).begin(4, TIME, 1);
    Observed quiet = loop(asking(RequestClass.SINGLE, () -> {}, null)).run(1, TIME, 1);
    Observed flooding = flood.await();

    assertThat(quiet.of(RequestClass.RANGE).micros().getTotalCount()).isZero();
    assertThat(flooding.of(RequestClass.RANGE).micros().getTotalCount()).isPositive();
    assertThat(flooding.of(RequestClass.SINGLE).failures()).isEqualTo(Map.of());
  }

  @Test
  void equal_seeds_give_equal_requests() throws InterruptedException {
    assertThat(firstDrawn(7)).isEqualTo(firstDrawn(7)).isNotEqualTo(firstDrawn(8));
  }

  private static List<Integer> firstDrawn(long seed) throws InterruptedException {
    List<Integer> drawn = new ArrayList<>();
    Requests requests =
        random -> {
          drawn.add(random.nextInt());
          return asking(RequestClass.SINGLE, () -> {}, null).next(random);
        };
    loop(requests).run(1, TIME, seed);
    return drawn.subList(0, 1);
  }
}
