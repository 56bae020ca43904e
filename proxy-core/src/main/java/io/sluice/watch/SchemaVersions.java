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
 * Asks nodes for their schema versions. A node that does not answer in time is silent: it goes on
 * being asked, but is not waited for until it has answered again. Everything happens on one lane.
 */
final class SchemaVersions {

  /**
   * A node that does not answer within this is silent. Shorter than the 2 s after which drivers
   * give a change up; long, since what is created cannot be used yet on a node that is merely slow.
   */
  static final long PATIENCE_NANOS = TimeUnit.MILLISECONDS.toNanos(1_500);

  private final Function<NodeId, CompletionStage<@Nullable UUID>> source;
  private final Lane lane;
  private final Set<NodeId> silent = new HashSet<>();
  private final Set<NodeId> asked = new HashSet<>();

  /**
   * Asks no node by itself.
   *
   * @param source asks a node; completes on any thread; null when the node knows none
   * @param lane the one that all is called on
   */
  SchemaVersions(Function<NodeId, CompletionStage<@Nullable UUID>> source, Lane lane) {
    this.source = source;
    this.lane = lane;
  }

  /** One asking of all nodes. */
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
   * Asks these nodes once.
   *
   * @return completes on the lane: whether all that answered have the same version. False when none
   *     did
   */
  CompletionStage<Boolean> agree(Collection<NodeId> nodes) {
    silent.retainAll(nodes);
    asked.retainAll(nodes);
    Round round = new Round();
    List<NodeId> free = nodes.stream().filter(asked::add).toList();
    free.stream().filter(node -> !silent.contains(node)).forEach(round.awaited::add);
    Timer.Timeout timeout = lane.schedule(PATIENCE_NANOS, () -> giveUp(round));
    round.agree.thenRun(timeout::cancel);
    free.forEach(node -> ask(node, round));
    round.endIfComplete();
    return round.agree;
  }

  private void ask(NodeId node, Round round) {
    source
        .apply(node)
        .whenComplete((version, failure) -> lane.run(() -> heard(node, round, version)));
  }

  private void heard(NodeId node, Round round, @Nullable UUID version) {
    asked.remove(node);
    round.awaited.remove(node);
    if (version == null) {
      silent.add(node);
    } else {
      silent.remove(node);
      round.versions.add(version);
    }
    round.endIfComplete();
  }

  private void giveUp(Round round) {
    silent.addAll(round.awaited);
    round.awaited.clear();
    round.endIfComplete();
  }

  /** Whether each node that was asked has answered when it was asked last. */
  boolean allHeard() {
    return silent.isEmpty();
  }

  boolean isSilent(NodeId node) {
    return silent.contains(node);
  }
}
