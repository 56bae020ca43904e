package io.sluice.decide.schedule;

import io.sluice.decide.Refusal;
import io.sluice.ring.NodeId;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A demand that records its calls and reports them to the test. */
final class TestDemand extends Demand {
  final String name;
  private final Consumer<TestDemand> onStart;
  int starts;
  int refusals;
  @Nullable Refusal refused;

  TestDemand(
      String name,
      Query query,
      int pieceNumber,
      List<NodeId> replicas,
      double rows,
      Consumer<TestDemand> onStart) {
    super(query, pieceNumber, replicas, rows);
    this.name = name;
    this.onStart = onStart;
  }

  @Override
  protected void start(Permit permit) {
    starts++;
    onStart.accept(this);
  }

  @Override
  protected void refuse(Refusal refusal) {
    refusals++;
    refused = refusal;
  }

  boolean isWaiting() {
    return starts == 0 && refusals == 0;
  }

  @Override
  public String toString() {
    return name;
  }
}
