package io.sluice.exchange;

import io.sluice.decide.plan.ResultRows.Kind;
import io.sluice.execute.reply.Failure;
import io.sluice.ring.Node;
import io.sluice.ring.NodeId;
import io.sluice.ring.Ring;
import io.sluice.wire.Frame;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The owner of a read that is never sent: when it gets its turn, the test acts instead. */
final class TurnOwner implements ReplicaRead.Listener {

  final List<Failure> failures = new ArrayList<>();

  /** The place that the read takes in a queue. */
  @Nullable QueuedRead place;

  /** Called with the place whose permit is held. */
  Consumer<QueuedRead> turn = held -> {};

  private final Ring ring;
  private final List<NodeId> replicas;

  TurnOwner(Ring ring, List<NodeId> replicas) {
    this.ring = ring;
    this.replicas = replicas;
  }

  @Override
  public Ring ring() {
    return ring;
  }

  @Override
  public List<NodeId> replicas() {
    return replicas;
  }

  @Override
  public QueuedRead queued(List<NodeId> nodes) {
    return Objects.requireNonNull(place);
  }

  @Override
  public boolean isWanted() {
    return true;
  }

  @Override
  public boolean waitsForClient() {
    return false;
  }

  @Override
  public @Nullable Frame frame(Node node, QueuedRead granted) {
    turn.accept(granted);
    return null;
  }

  @Override
  public @Nullable Kind rows() {
    return null;
  }

  @Override
  public void attemptLost() {}

  @Override
  public void answered(Frame answer, int error) {
    throw new AssertionError("no node answers here");
  }

  @Override
  public void failed(Failure failure) {
    failures.add(failure);
  }
}
