package io.sluice.watch;

import io.sluice.ring.NodeId;
import io.sluice.time.Lane;
import io.sluice.time.Timer;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Queries nodes for their schema versions. A node that does not answer in time is silent. It is
 * still queried, but no round waits for it until it has answered again. Everything happens on one
 * lane.
 */
final class SchemaVersions {

  /**
   * Time after which a node that has not answered is silent. Shorter than the 2 s after which
   * drivers give up on a schema change. Long, because new objects are not usable yet on a node that
   * is merely slow.
   */
  static final long TIMEOUT_NANOS = TimeUnit.MILLISECONDS.toNanos(1_500);

  private final Function<NodeId, CompletionStage<@Nullable UUID>> source;
  private final Lane lane;
  private final Set<NodeId> silent = new HashSet<>();
  private final Set<NodeId> inFlight = new HashSet<>();

  /**
   * Creates an object that queries nodes only in {@link #agree}.
   *
   * @param source queries a node; completes on any thread; null when the node knows no version
   * @param lane the lane of all calls
   */
  SchemaVersions(Function<NodeId, CompletionStage<@Nullable UUID>> source, Lane lane) {
    this.source = source;
    this.lane = lane;
  }

  /** One round of queries to all nodes. */
  private static final class Round {
    private final Set<NodeId> awaited = new HashSet<>();
    private final Set<UUID> versions = new HashSet<>();
    private final CompletableFuture<Boolean> agree = new CompletableFuture<>();

    void endIfComplete() {
      if (awaited.isEmpty()) {
        agree.complete(versions.size() == 1);
      }
    }
  }

  /**
   * Queries these nodes once.
   *
   * @return completes on the lane: whether all nodes that answered have the same version; false
   *     when none did
   */
  CompletionStage<Boolean> agree(Collection<NodeId> nodes) {
    silent.retainAll(nodes);
    inFlight.retainAll(nodes);
    Round round = new Round();
    List<NodeId> free = nodes.stream().filter(inFlight::add).toList();
    free.stream().filter(node -> !silent.contains(node)).forEach(round.awaited::add);
    Timer.Timeout timeout = lane.schedule(TIMEOUT_NANOS, () -> onTimeout(round));
    round.agree.thenRun(timeout::cancel);
    free.forEach(node -> ask(node, round));
    round.endIfComplete();
    return round.agree;
  }

  private void ask(NodeId node, Round round) {
    source
        .apply(node)
        .whenComplete((version, failure) -> lane.run(() -> onVersion(node, round, version)));
  }

  private void onVersion(NodeId node, Round round, @Nullable UUID version) {
    inFlight.remove(node);
    round.awaited.remove(node);
    if (version == null) {
      silent.add(node);
    } else {
      silent.remove(node);
      round.versions.add(version);
    }
    round.endIfComplete();
  }

  private void onTimeout(Round round) {
    silent.addAll(round.awaited);
    round.awaited.clear();
    round.endIfComplete();
  }

  /** Whether no node is silent. */
  boolean allHeard() {
    return silent.isEmpty();
  }

  boolean isSilent(NodeId node) {
    return silent.contains(node);
  }
}
