package io.sluice.it;

import static org.awaitility.Awaitility.await;

import java.time.Duration;

/** Lets time pass where Cassandra's caches have to run out. */
final class Waiting {
  private Waiting() {}

  static void aMoment(int millis) {
    await()
        .pollDelay(Duration.ofMillis(millis))
        .atMost(Duration.ofMillis(millis + 10_000L))
        .until(() -> true);
  }
}
