package io.sluice.exchange.range;

import io.sluice.decide.plan.ScatterPlan.Scatter;
import io.sluice.decide.plan.Splittable.Reason;
import io.sluice.exchange.ReadTrace;
import io.sluice.execute.reply.Failure;
import io.sluice.time.TestLane;
import io.sluice.wire.Answers;
import io.sluice.wire.Frame;
import io.sluice.wire.TestRows;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A page that a test reads, with its outcome. */
final class Page implements PageOutcome {
  final Frame request;
  final PageRead read;

  /** The outcomes in the order of the calls; rows are shown as their keys. */
  final List<String> told = new ArrayList<>();

  @Nullable ByteBuffer pagingState;
  boolean wanted = true;

  /** The record of the requests to nodes; null at first. */
  @Nullable ReadTrace trace;

  /** Whether the receiver of the page throws when an answer has arrived. */
  boolean faulty;

  private final TestLane lane;
  private long endsAt;

  Page(RangeReads reads, RangePage asked, TestLane lane) {
    request = asked.frame();
    this.lane = lane;
    restart();
    Scatter plan = Objects.requireNonNull(reads.scatter(asked), "it can be split");
    read = reads.read(asked, plan, this);
  }

  @Override
  public void page(Frame answer) {
    TestRows.Read rows = TestRows.read(answer);
    pagingState = rows.pagingState();
    told.add("rows " + rows.keys());
    answer.release();
  }

  @Override
  public void error(Frame answer) {
    told.add("error %04x".formatted(Answers.errorCode(answer)));
    answer.release();
  }

  @Override
  public void failed(Failure failure) {
    told.add("failed " + failure);
  }

  @Override
  public void mustGoWhole(Reason reason) {
    told.add("must go whole, " + reason);
  }

  @Override
  public void schemaChanged(String message) {
    told.add("schema changed");
  }

  private void restart() {
    endsAt = lane.nanoTime() + PageFixture.TIMEOUT.toNanos();
  }

  @Override
  public long leftNanos() {
    return endsAt - lane.nanoTime();
  }

  @Override
  public void progressed() {
    restart();
    if (faulty) {
      throw new IllegalStateException("a fault");
    }
  }

  @Override
  public @Nullable ReadTrace trace() {
    return trace;
  }

  @Override
  public boolean isWanted() {
    return wanted;
  }
}
