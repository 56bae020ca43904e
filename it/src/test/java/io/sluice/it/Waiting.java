package io.sluice.it;

import static org.awaitility.Awaitility.await;

import java.time.Duration;

/** Waits of tests. */
final class Waiting {
  /**
   * Limit of a wait for what must happen. It decides only when a failure is reported: a machine at
   * half its speed, with two clusters, has needed more than 20 s for schema agreement.
   */
  static final Duration PATIENCE = Duration.ofMinutes(2);

  private Waiting() {}

  /** Waits until Cassandra's caches have expired. */
  static void aMoment(int millis) {
    await()
        .pollDelay(Duration.ofMillis(millis))
        .atMost(Duration.ofMillis(millis + 10_000L))
        .until(() -> true);
  }
}
