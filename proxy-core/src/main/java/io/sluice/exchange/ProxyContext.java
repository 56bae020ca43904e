package io.sluice.exchange;

import io.sluice.audit.AuditLog;
import io.sluice.decide.PriorityClass;
import io.sluice.decide.rule.Rules;
import io.sluice.decide.schedule.Scheduler;
import io.sluice.execute.dispatch.Dispatcher;
import io.sluice.execute.reply.RequestKind;
import io.sluice.meter.ProxyMeters;
import io.sluice.ring.NodeId;
import io.sluice.statement.Statement;
import io.sluice.time.NanoClock;
import io.sluice.trace.Tracer;
import io.sluice.usage.Usage;
import io.sluice.watch.Cluster;
import io.sluice.watch.ClusterView;
import io.sluice.watch.NodeAgent;
import io.sluice.wire.Frame;
import io.sluice.wire.RangeHint;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The context that a request under way uses.
 *
 * @param settings the deadlines, and whether nodes are sent hints; they may change
 * @param clock the scheduler's clock
 * @param cluster the cluster as it is
 * @param health which nodes answer
 * @param scheduler whose turn it is
 * @param dispatcher sends
 * @param answers answers
 * @param schemaHomes the nodes at which clients have changed the schema
 * @param running the requests under way
 * @param hedges the point reads that may get a second request
 * @param usage what statements have cost
 * @param rules which limits the operator has set for whom
 * @param audit who logged in, what was refused, ended and changed
 * @param tracer which requests are traced; null when none are
 */
public record ProxyContext(
    AtomicReference<ExchangeConfig> settings,
    NanoClock clock,
    Cluster cluster,
    NodeHealth health,
    Scheduler scheduler,
    Dispatcher dispatcher,
    ResponseHandler answers,
    SchemaHomes schemaHomes,
    RunningRequests running,
    Hedges hedges,
    Usage usage,
    Rules rules,
    AuditLog audit,
    @Nullable Tracer tracer) {

  /** The settings now. */
  public ExchangeConfig config() {
    return Objects.requireNonNull(settings.get());
  }

  /** What is counted. */
  public ProxyMeters meters() {
    return answers.meters();
  }

  public ClusterView view() {
    return cluster.view();
  }

  /**
   * A range read as {@code node} is sent it: with the hint, if an agent is there to read it. Takes
   * the frame over.
   */
  public Frame hinted(Frame request, NodeId node, RangeHint hint) {
    ExchangeConfig config = config();
    boolean read = config.hints() && !config.onlyPasses() && view().agent(node) != NodeAgent.ABSENT;
    return read ? hint.addTo(request) : request;
  }

  /** How long a short question may take. */
  public long requestTimeoutNanos() {
    return Deadlines.other(config(), view().timeouts(), RequestKind.OTHER);
  }

  long requestTimeoutNanos(Statement statement) {
    return Deadlines.other(config(), view().timeouts(), statement.kind());
  }

  /** How long a read may take, its wait for a permit included. */
  long readTimeoutNanos(Statement statement, PriorityClass priorityClass) {
    return Deadlines.read(config(), view().timeouts(), priorityClass, statement.isSerial());
  }

  public long rangeTimeoutNanos() {
    return Deadlines.read(config(), view().timeouts(), PriorityClass.RANGE, false);
  }
}
