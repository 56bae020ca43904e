package io.sluice.exchange.range;

import io.sluice.accept.Client;
import io.sluice.decide.PriorityClass;
import io.sluice.decide.plan.Asked;
import io.sluice.decide.plan.MergeRule;
import io.sluice.decide.plan.ResumePoint;
import io.sluice.decide.plan.ScatterPlan.Scatter;
import io.sluice.decide.plan.ScatterPlanner;
import io.sluice.decide.plan.SubStatement;
import io.sluice.decide.schedule.QueryFacts;
import io.sluice.execute.dispatch.PreparedText;
import io.sluice.execute.merge.MergeOrder;
import io.sluice.execute.merge.Merger;
import io.sluice.execute.merge.StatementDigest;
import io.sluice.link.LinkKey;
import io.sluice.ring.Partitioner;
import io.sluice.ring.Token;
import io.sluice.statement.RangeStatement;
import io.sluice.statement.Statement;
import io.sluice.wire.Frame;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * One page of a range read that a client asks for.
 *
 * @param client the client that asked
 * @param frame the request for it
 * @param statement what it asks for
 * @param range the same as far as splitting goes
 * @param digest which statement and values it is
 * @param from where it begins; null for the first page
 */
record RangePage(
    Client client,
    Frame frame,
    Statement statement,
    RangeStatement range,
    StatementDigest digest,
    @Nullable ResumePoint from) {

  private static final int FIRST_WITH_WARNINGS = 4;
  private static final int FIRST_WITH_ROW_MARKS = 4;

  /** What the planner is asked. */
  ScatterPlanner.Page asked(Partitioner partitioner) {
    return new ScatterPlanner.Page(
        new Asked(statement.shape(), statement.values(), statement.pageSize(), client.id()),
        client.version(),
        from,
        reached(partitioner));
  }

  /** The token of the last row that was delivered; null when it is not known. */
  @Nullable Token reached(Partitioner partitioner) {
    ByteBuffer inner = from == null ? null : from.inner();
    ByteBuffer key = inner == null ? null : Merger.lastKey(inner);
    return key == null ? null : partitioner.hash(key);
  }

  /**
   * What the merger is told.
   *
   * @param maxBufferedBytes above it only the first open piece is asked on
   */
  MergeOrder mergeOrder(Scatter plan, long maxBufferedBytes) {
    return new MergeOrder(
        plan.merge(),
        client.version(),
        Math.max(0, statement.pageSize()),
        plan.rowsLeft(),
        plan.perPartition(),
        from,
        digest,
        maxBufferedBytes,
        client.version() < FIRST_WITH_WARNINGS ? null : plan.warning(),
        range.latestColumns());
  }

  /**
   * Whether an answer tells of each row where it stands, and a node can be asked to go on behind
   * any of them.
   */
  boolean showsWhereRowsAre(Scatter plan) {
    return plan.merge() instanceof MergeRule.Concatenate rows
        && rows.rowKey() != null
        && plan.perPartition() < 0
        && client.version() >= FIRST_WITH_ROW_MARKS;
  }

  /** What the scheduler is told. */
  QueryFacts facts(Scatter plan, double rows, long deadlineNanos) {
    String table = statement.shape().keyspace() + "." + statement.shape().table();
    return new QueryFacts(
        PriorityClass.RANGE,
        plan.split().rows().kind().costsOf(table),
        statement.tenant(client),
        deadlineNanos,
        rows,
        plan.wanted(),
        plan.wave().size(),
        statement.weight(),
        statement.isLast(),
        0,
        0);
  }

  /** Links for its pieces, whose unqualified names mean what they meant to the client's text. */
  LinkKey linkKey() {
    return new LinkKey(client.identity(), client.version(), keyspace());
  }

  /** The text of a piece as it is prepared. */
  PreparedText prepared(SubStatement text) {
    return new PreparedText(text.cql(), keyspace());
  }

  private @Nullable String keyspace() {
    return statement.shape().qualified() ? null : range.text().keyspace();
  }
}
