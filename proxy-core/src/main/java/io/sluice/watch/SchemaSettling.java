package io.sluice.watch;

import io.sluice.time.Guarded;
import io.sluice.time.Lane;
import io.sluice.time.NanoClock;
import io.sluice.time.Timer;
import io.sluice.wire.SchemaChange;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
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
 * and the proxy's own catalog shows the change. Releases events before answers, including events
 * that no node has sent yet, and otherwise keeps the order of arrival. If one arrives during a
 * round of queries, it waits for the next round. So does, once, an answer of that round if an event
 * arrives: a node sends a change's event before or with its answer.
 *
 * <p>{@link #onEvent} and {@link #settled} are safe for any thread; all else happens on one lane.
 */
final class SchemaSettling {

  private static final Logger LOG = LoggerFactory.getLogger("io.sluice.Journal");

  /** Pause between two rounds while nodes disagree. */
  static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  /**
   * Maximum wait for the catalog, from the arrival of the oldest held event or answer. Drivers give
   * up on a schema change after 2 s.
   */
  static final long CATALOG_WAIT_NANOS = TimeUnit.MILLISECONDS.toNanos(1_700);

  /** Minimum time that a read of the catalog gets. */
  static final long MIN_CATALOG_WAIT_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

  /** The nodes and the catalog. Called on the lane. */
  interface Source {

    /**
     * Queries the nodes once, and returns whether all that are not silent agree. Completes on the
     * lane, soon, and never fails.
     */
    CompletionStage<Boolean> agree();

    /** Whether no node is silent. */
    boolean allHeard();

    /** Updates the catalog. May fail, or take long. */
    CompletionStage<?> read();

    /**
     * Returns the changes since the last call that no event reported, as far as the catalog shows
     * them.
     */
    List<SchemaChange> missed();
  }

  /**
   * A held event or answer.
   *
   * @param waited whether an answer has waited for the events of its round
   */
  private record Held(
      long deadline,
      @Nullable SchemaChange event,
      CompletableFuture<Boolean> settled,
      boolean waited) {

    boolean mayWait() {
      return event == null && !waited;
    }

    Held afterWaiting() {
      return new Held(deadline, event, settled, true);
    }
  }

  private final Source source;
  private final Lane lane;
  private final NanoClock clock;
  private final long timeoutNanos;
  private final Consumer<SchemaChange> listener;
  private final Queue<Held> held = new ArrayDeque<>();
  private boolean roundRunning;

  /**
   * Creates an object that holds nothing yet.
   *
   * @param timeout how long nodes may disagree until held events and answers are released anyway
   * @param listener receives each event, on the lane
   */
  SchemaSettling(
      Source source,
      Lane lane,
      NanoClock clock,
      Duration timeout,
      Consumer<SchemaChange> listener) {
    this.source = source;
    this.lane = lane;
    this.clock = clock;
    this.timeoutNanos = timeout.toNanos();
    this.listener = listener;
  }

  /** Holds an event that a node has sent. */
  void onEvent(SchemaChange event) {
    hold(event);
  }

  /**
   * Holds an answer. Completes with true when the nodes agree, none is silent, and the catalog
   * shows the change or the wait for it has ended. Completes with false after the timeout, with a
   * silent node, or when the lane is closed.
   */
  CompletionStage<Boolean> settled() {
    return hold(null);
  }

  private CompletableFuture<Boolean> hold(@Nullable SchemaChange event) {
    CompletableFuture<Boolean> settled = new CompletableFuture<>();
    Held next = new Held(clock.nanoTime() + timeoutNanos, event, settled, false);
    try {
      lane.execute(
          () -> {
            held.add(next);
            startRound();
          });
    } catch (RejectedExecutionException closed) {
      settled.complete(false);
    }
    return settled;
  }

  /** Starts a round, which also looks for changes that no event reported. */
  void startRound() {
    if (!roundRunning) {
      roundRunning = true;
      int before = held.size();
      source.agree().thenAccept(agree -> onAgreement(before, agree));
    }
  }

  private void onAgreement(int before, boolean agree) {
    int ready = agree ? before : expired();
    if (!agree && ready == 0 && !held.isEmpty()) {
      lane.schedule(
          PAUSE_NANOS,
          () -> {
            roundRunning = false;
            startRound();
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
    Timer.Timeout timeout = lane.schedule(catalogWait(), () -> done.complete(null));
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

  private long catalogWait() {
    Held first = held.peek();
    long waited = first == null ? 0 : clock.nanoTime() - (first.deadline() - timeoutNanos);
    return Math.max(MIN_CATALOG_WAIT_NANOS, CATALOG_WAIT_NANOS - waited);
  }

  /**
   * Logs at most one line per timeout: what is held waits until the nodes agree or for the whole
   * timeout.
   */
  private void logDisagreement(int ready) {
    if (ready > 0) {
      LOG.warn(
          "The nodes do not agree on the schema after {} s: changes that are announced anyway: {}",
          TimeUnit.NANOSECONDS.toSeconds(timeoutNanos),
          ready);
    }
  }

  private void release(int ready, boolean agree) {
    if (!agree) {
      logDisagreement(ready);
    }
    List<Held> batch = new ArrayList<>();
    for (int i = 0; i < ready; i++) {
      batch.add(held.remove());
    }
    List<SchemaChange> released = batch.stream().map(Held::event).filter(Objects::nonNull).toList();
    List<SchemaChange> missed = new ArrayList<>(source.missed());
    missed.removeAll(released);
    released.forEach(this::announce);
    missed.forEach(this::announce);
    boolean eventsArrived = agree && held.stream().anyMatch(each -> each.event() != null);
    boolean agreed = agree && source.allHeard();
    for (Held each : batch) {
      if (eventsArrived && each.mayWait()) {
        held.add(each.afterWaiting());
      } else {
        each.settled().complete(agreed);
      }
    }
    roundRunning = false;
    if (!held.isEmpty()) {
      startRound();
    }
  }

  private void announce(SchemaChange change) {
    Guarded.run(() -> listener.accept(change), "The announcement of a schema change", LOG);
  }

  /** Releases everything that is held, unsettled. */
  void close() {
    held.forEach(each -> each.settled().complete(false));
    held.clear();
  }
}
