package io.sluice.cluster;

import java.io.IOException;
import java.time.Duration;
import java.util.Deque;
import java.util.Objects;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The keyspaces of a measurement in a cluster of the user. They are dropped by {@link #close}, and
 * when this JVM ends earlier, such as by Ctrl-C. The user gets the statements of those that cannot
 * be dropped. Safe for any thread.
 */
public final class TemporaryKeyspaces implements AutoCloseable {
  /** The longest time by which a drop delays the end of this JVM. */
  private static final Duration LIMIT = Duration.ofSeconds(20);

  private final SchemaChange cluster;
  private final Consumer<String> say;
  private final Deque<String> drops = new ConcurrentLinkedDeque<>();
  private final EndHook hook = new EndHook("drop-keyspaces", () -> dropWithin(LIMIT));

  /** Executes a schema change in the cluster, from any thread. */
  public interface SchemaChange {
    /** Executes the change, and waits for its end. */
    void execute(String cql) throws IOException;
  }

  private TemporaryKeyspaces(SchemaChange cluster, Consumer<String> say) {
    this.cluster = cluster;
    this.say = say;
  }

  /**
   * Creates an empty set of keyspaces.
   *
   * @param cluster executes the drops
   * @param say receives a line for each keyspace that cannot be dropped
   * @throws ClusterFailure if this JVM is ending
   */
  public static TemporaryKeyspaces in(SchemaChange cluster, Consumer<String> say) {
    TemporaryKeyspaces keyspaces = new TemporaryKeyspaces(cluster, say);
    if (!keyspaces.hook.register()) {
      throw new ClusterFailure("no keyspace is created: this JVM is ending");
    }
    return keyspaces;
  }

  /** Adds a keyspace. Call this before its creation. */
  public void add(String keyspace) {
    drops.push("DROP KEYSPACE IF EXISTS " + keyspace);
  }

  /** Drops the keyspaces, the last one first. Fails at the first that cannot be dropped. */
  @Override
  public void close() throws IOException {
    try {
      drop();
    } catch (IOException | RuntimeException e) {
      tell(e.getMessage());
      throw e;
    } finally {
      hook.remove();
    }
  }

  /** Drops the keyspaces, or tells their statements after this time. */
  void dropWithin(Duration limit) {
    FutureTask<Boolean> dropping =
        new FutureTask<>(
            () -> {
              drop();
              return true;
            });
    Thread thread = new Thread(dropping, "drop-keyspaces-in-time");
    thread.setDaemon(true);
    thread.start();
    try {
      dropping.get(limit.toNanos(), TimeUnit.NANOSECONDS);
    } catch (ExecutionException e) {
      tell(Objects.requireNonNullElse(e.getCause(), e).getMessage());
    } catch (TimeoutException e) {
      tell("no answer within " + limit.toSeconds() + " s");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      tell("interrupted");
    }
  }

  private void drop() throws IOException {
    String next = drops.peek();
    while (next != null) {
      cluster.execute(next);
      drops.remove(next);
      next = drops.peek();
    }
  }

  private void tell(@Nullable String reason) {
    drops.forEach(
        each -> say.accept("A keyspace is not dropped (" + reason + "). Please run: " + each));
  }
}
