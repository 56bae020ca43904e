package io.sluice.torture;

import io.sluice.cluster.ClusterFailure;
import io.sluice.cluster.Readiness;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Waits until the nodes of a cluster agree on the ring or on the schema. Safe for any thread. */
final class Agreement {
  private static final long STEP_MILLIS = 200;

  private final Supplier<List<Member>> members;

  /** A node that is in the ring. */
  record Member(String name, InetSocketAddress address) {}

  Agreement(Supplier<List<Member>> members) {
    this.members = members;
  }

  /** Waits until each node serves and sees all others, for at most this time for each. */
  void awaitWholeRing(Duration limit) throws InterruptedException {
    List<Member> all = members.get();
    for (Member each : all) {
      await(
          each.name() + " does not see all others",
          limit,
          () -> Readiness.seesWholeRing(each.address(), all.size() - 1));
    }
  }

  /** Waits until all nodes serve and have the same schema. */
  void awaitOneSchema(Duration limit) throws InterruptedException {
    await(
        "no schema agreement",
        limit,
        () ->
            isOneSchema(
                members.get().stream()
                    .map(each -> Readiness.schemaVersion(each.address()))
                    .toList()));
  }

  static boolean isOneSchema(List<Optional<ByteBuffer>> versions) {
    return versions.stream().allMatch(Optional::isPresent)
        && versions.stream().distinct().count() == 1;
  }

  private static void await(String otherwise, Duration limit, BooleanSupplier condition)
      throws InterruptedException {
    long end = System.nanoTime() + limit.toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - end > 0) {
        throw new ClusterFailure(otherwise + " after " + limit.toSeconds() + " s");
      }
      TimeUnit.MILLISECONDS.sleep(STEP_MILLIS);
    }
  }
}
