package io.sluice.simulator.cluster;

import io.sluice.decide.classify.BoundValues;
import io.sluice.decide.classify.Classified;
import io.sluice.decide.classify.Classifier;
import io.sluice.decide.plan.Planner.PlanRequest;
import io.sluice.decide.plan.ScatterPlan;
import io.sluice.decide.plan.ScatterPlan.Scatter;
import io.sluice.decide.plan.ScatterPlan.SubRequest;
import io.sluice.decide.plan.ScatterPlanner;
import io.sluice.decide.plan.ScatterPlanner.ClusterKnowledge;
import io.sluice.decide.plan.ScatterPlanner.Page;
import io.sluice.decide.plan.SplitConfig;
import io.sluice.decide.plan.Splittable;
import io.sluice.decide.progress.PageProgress;
import io.sluice.decide.progress.PageProgress.PageGoal;
import io.sluice.ring.Table;
import io.sluice.ring.Table.KeyColumn;
import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The only range read that clients prepare, with the proxy's own cutter. */
final class RangeStatement {
  private static final String CQL = "SELECT * FROM ks.t WHERE token(k) >= ? LIMIT ?";
  private static final int PROTOCOL = 5;
  private static final int UNPAGED = -1;

  private final ScatterPlanner planner;
  private final Classified statement;
  private final Splittable splittable;
  private final ClusterKnowledge known;

  RangeStatement(SplitConfig split, Layout layout, double sigma) {
    Table table = new Table(Layout.KEYSPACE, "t", List.of(new KeyColumn("k", "bigint")));
    this.planner = new ScatterPlanner(split);
    this.statement =
        new Classifier()
            .classify(CQL, null, (keyspace, name) -> table, layout.ring().partitioner());
    this.splittable = planner.splittable(CQL, statement, table);
    this.known = new ClusterKnowledge(layout.ring(), layout, sigma);
  }

  /** Creates the proxy's progress of a page of this plan, which will probably read {@code rows}. */
  PageProgress progress(Scatter plan, double rows) {
    return new PageProgress(
        new PageGoal(plan.range(), plan.minimum(), plan.wanted(), rows, true, false),
        planner.config().maxSubRequests(),
        request -> Math.min(request.rows(), request.piece().rows()));
  }

  Scatter plan(Read read) {
    PlanRequest asked = new PlanRequest(statement, new Values(read), UNPAGED, 0);
    ScatterPlan plan = planner.plan(splittable, Page.first(asked, PROTOCOL), known);
    if (plan instanceof Scatter scatter) {
      return scatter;
    }
    throw new IllegalStateException(plan.toString());
  }

  /** Returns the next wave of a page; empty when nothing is left to ask for. */
  List<SubRequest> next(Scatter plan, PageProgress progress) {
    return planner.next(plan, progress.behind(), progress.missing(), progress.seen(), known);
  }

  private record Values(Read read) implements BoundValues {
    @Override
    public ByteBuffer get(int index) {
      return index == 0
          ? ByteBuffer.allocate(Long.BYTES).putLong(0, read.token())
          : ByteBuffer.allocate(Integer.BYTES).putInt(0, read.limit());
    }

    @Override
    public @Nullable ByteBuffer get(String name) {
      return null;
    }
  }
}
