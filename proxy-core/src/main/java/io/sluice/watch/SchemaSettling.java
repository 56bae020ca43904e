package io.sluice.watch;

import io.sluice.time.Lane;
import io.sluice.time.NanoClock;
import io.sluice.time.Timer;
import io.sluice.wire.SchemaChange;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Holds schema events, and the answers of clients that changed the schema, until the nodes agree
 * and the proxy's own catalog shows the change. They leave in the order in which they came. One
 * that came while nodes were asked waits for the next asking.
 *
 * <p>{@link #heard} and {@link #settled} are safe for any thread; all else happens on one lane.
 */
final class SchemaSettling {

  private static final Logger LOG = LoggerFactory.getLogger("io.sluice.Journal");

  /** Time between two askings while nodes disagree. */
  static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  /**
   * A catalog that is not read by then is not waited for, counted from when the first of what waits
   * for it came: drivers give a change up after 2 s.
   */
  static final long CATALOG_BY_NANOS = TimeUnit.MILLISECONDS.toNanos(1_700);

  /** But at least as long as this. */
  static final long CATALOG_AT_LEAST_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

  /** The nodes and the catalog. Called on the lane. */
  interface Source {

    /**
     * Asks once whether nodes agree, apart from those that are silent; completes on the lane, soon,
     * and never fails.
     */
    CompletionStage<Boolean> agree();

    /** Whether no node is silent. */
    boolean allHeard();

    /** Brings the catalog up to date; may fail, or take long. */
    CompletionStage<?> read();

    /** The changes since the last call that no event told of, as far as the catalog shows them. */
    List<SchemaChange> missed();
  }

  /** An event, or an answer that is held. */
  private record Held(
      long deadline, @Nullable SchemaChange event, CompletableFuture<Boolean> settled) {}

  private final Source source;
  private final Lane lane;
  private final NanoClock clock;
  private final long patienceNanos;
  private final Consumer<SchemaChange> listener;
  private final Queue<Held> held = new ArrayDeque<>();
  private boolean asking;

  /**
   * Holds nothing yet.
   *
   * @param patience how long nodes may disagree until what is held leaves nevertheless
   * @param listener told each event, on the lane
   */
  SchemaSettling(
      Source source,
      Lane lane,
      NanoClock clock,
      Duration patience,
      Consumer<SchemaChange> listener) {
    this.source = source;
    this.lane = lane;
    this.clock = clock;
    this.patienceNanos = patience.toNanos();
    this.listener = listener;
  }

  /** A node told a change. */
  void heard(SchemaChange event) {
    hold(event);
  }

  /**
   * Completes when nodes agree and the catalog shows it, with true unless one of them is silent; or
   * with false when they do not within the patience, or the lane is closed.
   */
  CompletionStage<Boolean> settled() {
    return hold(null);
  }

  private CompletableFuture<Boolean> hold(@Nullable SchemaChange event) {
    CompletableFuture<Boolean> settled = new CompletableFuture<>();
    Held next = new Held(clock.nanoTime() + patienceNanos, event, settled);
    try {
      lane.execute(
          () -> {
            held.add(next);
            ask();
          });
    } catch (RejectedExecutionException closed) {
      settled.complete(false);
    }
    return settled;
  }

  /** Looks for changes that no event told of. */
  void ask() {
    if (!asking) {
      asking = true;
      int before = held.size();
      source.agree().thenAccept(agree -> asked(before, agree));
    }
  }

  private void asked(int before, boolean agree) {
    int ready = agree ? before : expired();
    if (!agree && ready == 0 && !held.isEmpty()) {
      lane.schedule(
          PAUSE_NANOS,
          () -> {
            asking = false;
            ask();
          });
    } else {
      read(ready, agree);
    }
  }

  private int expired() {
    long now = clock.nanoTime();
    return (int) held.stream().takeWhile(each -> each.deadline() - now <= 0).count();
  }

  private void read(int ready, boolean agree) {
    CompletableFuture<Void> done = new CompletableFuture<>();
    done.thenRun(() -> release(ready, agree));
    Timer.Timeout timeout = lane.schedule(readAtMost(), () -> done.complete(null));
    source
        .read()
        .whenComplete(
            (read, failure) ->
                lane.run(
                    () -> {
                      timeout.cancel();
                      done.complete(null);
                    }));
  }

  private long readAtMost() {
    Held first = held.peek();
    long waited = first == null ? 0 : clock.nanoTime() - (first.deadline() - patienceNanos);
    return Math.max(CATALOG_AT_LEAST_NANOS, CATALOG_BY_NANOS - waited);
  }

  /** It waits until the nodes agree or its patience ends, so there is a line in a patience. */
  private void tell(int ready) {
    if (ready > 0) {
      LOG.warn(
          "The nodes do not agree on the schema after {} s: changes that are told nevertheless: {}",
          TimeUnit.NANOSECONDS.toSeconds(patienceNanos),
          ready);
    }
  }

  private void release(int ready, boolean agree) {
    if (!agree) {
      tell(ready);
    }
    List<SchemaChange> told = new ArrayList<>();
    for (int i = 0; i < ready; i++) {
      Held next = held.remove();
      SchemaChange event = next.event();
      if (event != null) {
        told.add(event);
        listener.accept(event);
      }
      next.settled().complete(agree && source.allHeard());
    }
    List<SchemaChange> missed = new ArrayList<>(source.missed());
    missed.removeAll(told);
    missed.forEach(listener);
    asking = false;
    if (!held.isEmpty()) {
      ask();
    }
  }

  /** Lets everything go that is held, unsettled. */
  void close() {
    held.forEach(each -> each.settled().complete(false));
    held.clear();
  }
}
