package io.sluice.exchange.range;

import io.sluice.accept.Client;
import io.sluice.decide.PriorityClass;
import io.sluice.decide.classify.Select;
import io.sluice.decide.plan.MergeRule;
import io.sluice.decide.plan.Planner.PlanRequest;
import io.sluice.decide.plan.ResumePoint;
import io.sluice.decide.plan.ScatterPlan.Scatter;
import io.sluice.decide.plan.ScatterPlanner;
import io.sluice.decide.plan.SubStatement;
import io.sluice.decide.schedule.QueryFacts;
import io.sluice.decide.schedule.QueryFacts.OtherReads;
import io.sluice.decide.schedule.QueryFacts.Share;
import io.sluice.execute.dispatch.PreparedTexts.PreparedText;
import io.sluice.execute.merge.Merger;
import io.sluice.execute.merge.Merger.MergeOrder;
import io.sluice.execute.merge.StatementDigest;
import io.sluice.link.LinkKey;
import io.sluice.ring.Partitioner;
import io.sluice.ring.Token;
import io.sluice.statement.RangeStatement;
import io.sluice.statement.Statement;
import io.sluice.wire.Frame;
import io.sluice.wire.ProtocolVersion;
import java.nio.ByteBuffer;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One page of a range read that a client asks for.
 *
 * @param client the client that asks
 * @param frame the client's request
 * @param statement the statement of the request
 * @param range the parts of the statement that splitting needs
 * @param digest the digest of statement and values; null if nothing has needed it yet
 * @param from the point at which the page begins; null for the first page
 * @param arrivalNanos when the request arrived, on the path's clock
 */
record RangePage(
    Client client,
    Frame frame,
    Statement statement,
    RangeStatement range,
    @Nullable StatementDigest digest,
    @Nullable ResumePoint from,
    long arrivalNanos) {

  private Select select() {
    return Objects.requireNonNull(statement.classified().select());
  }

  /** Returns the input of the planner. */
  ScatterPlanner.Page asked(Partitioner partitioner) {
    return new ScatterPlanner.Page(
        new PlanRequest(
            statement.classified(), statement.values(), statement.pageSize(), client.id()),
        client.version(),
        from,
        reached(partitioner));
  }

  /** Returns the token of the last delivered row; null when unknown. */
  @Nullable Token reached(Partitioner partitioner) {
    ByteBuffer nodeState = from == null ? null : from.nodeState();
    ByteBuffer key = nodeState == null ? null : Merger.lastKey(nodeState);
    return key == null ? null : partitioner.hash(key);
  }

  /**
   * Returns the input of the merger.
   *
   * @param maxBufferedBytes above this, only the first unfinished piece is read on
   */
  MergeOrder mergeOrder(Scatter plan, long maxBufferedBytes) {
    return new MergeOrder(
        plan.merge(),
        client.version(),
        Math.max(0, statement.pageSize()),
        plan.rowsLeft(),
        plan.perPartition(),
        from,
        digest == null ? range.digest(select()) : digest,
        maxBufferedBytes,
        client.version() < ProtocolVersion.WARNINGS ? null : plan.warning(),
        range.latestColumns());
  }

  /** Whether each row of an answer shows its position, and a node can continue after any row. */
  boolean rowsShowPositions(Scatter plan) {
    return plan.merge() instanceof MergeRule.Concatenate rows
        && rows.rowKey() != null
        && plan.perPartition() < 0
        && client.version() >= ProtocolVersion.ROW_MARKS;
  }

  /** Returns the input of the scheduler. */
  QueryFacts facts(Scatter plan, double rows, long deadlineNanos) {
    String table = Objects.requireNonNull(statement.classified().knownTable());
    return new QueryFacts(
        PriorityClass.RANGE,
        plan.split().rows().kind().costsOf(table),
        new Share(statement.tenant(client), statement.weight(), statement.isLast()),
        deadlineNanos,
        rows,
        plan.wanted(),
        plan.wave().size(),
        OtherReads.NONE,
        0);
  }

  /**
   * Returns the key of the links for pieces. They use the client's keyspace if the statement names
   * none.
   */
  LinkKey linkKey() {
    return new LinkKey(client.identity(), client.version(), keyspace());
  }

  /** Returns the text of a piece to prepare. */
  PreparedText prepared(SubStatement text) {
    return new PreparedText(text.cql(), keyspace());
  }

  private @Nullable String keyspace() {
    return statement.classified().qualified() ? null : range.text().keyspace();
  }
}
