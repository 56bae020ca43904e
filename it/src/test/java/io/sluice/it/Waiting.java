package io.sluice.it;

import static org.awaitility.Awaitility.await;

import java.time.Duration;

/** Waits until Cassandra's caches have expired. */
final class Waiting {
  private Waiting() {}

  static void aMoment(int millis) {
    await()
        .pollDelay(Duration.ofMillis(millis))
        .atMost(Duration.ofMillis(millis + 10_000L))
        .until(() -> true);
  }
}
