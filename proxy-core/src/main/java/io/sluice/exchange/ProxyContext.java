package io.sluice.exchange;

import io.sluice.audit.AuditLog;
import io.sluice.decide.PriorityClass;
import io.sluice.decide.rule.Rules;
import io.sluice.decide.schedule.Scheduler;
import io.sluice.execute.dispatch.Dispatcher;
import io.sluice.execute.reply.RequestKind;
import io.sluice.meter.ProxyMeters;
import io.sluice.ring.NodeId;
import io.sluice.ring.Ring;
import io.sluice.statement.Statement;
import io.sluice.time.NanoClock;
import io.sluice.trace.Tracer;
import io.sluice.usage.Usage;
import io.sluice.watch.Cluster;
import io.sluice.watch.ClusterView;
import io.sluice.watch.ClusterView.NodeAgent;
import io.sluice.wire.Frame;
import io.sluice.wire.RangeHint;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The collaborators and settings of a request in flight.
 *
 * @param settings the settings, which may change
 * @param clock the scheduler's clock
 * @param cluster the current nodes and schema
 * @param health the health of the nodes
 * @param scheduler decides when a read is sent
 * @param dispatcher sends requests to nodes
 * @param answers sends answers to clients
 * @param schemaHomes the nodes at which clients have changed the schema
 * @param running the requests in flight
 * @param hedges the point reads that may get a second request
 * @param usage the costs of statements
 * @param rules the operator's rules and their limits
 * @param audit the log of logins, refusals, ended requests and changes
 * @param tracer decides which requests are traced; null when tracing is off
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

  /** Returns the current settings. */
  public ExchangeConfig config() {
    return Objects.requireNonNull(settings.get());
  }

  /** Returns the metrics. */
  public ProxyMeters meters() {
    return answers.meters();
  }

  public ClusterView view() {
    return cluster.view();
  }

  /**
   * Returns the nodes and owners, with the data centre that serves a statement as the local one.
   */
  public Ring ring(Statement statement) {
    return statement.ring(view().ring());
  }

  /**
   * Returns a range read as {@code node} gets it: with the hint if the node has an agent. Takes the
   * frame over.
   */
  public Frame hinted(Frame request, NodeId node, RangeHint hint) {
    ExchangeConfig config = config();
    boolean read = config.hints() && !config.onlyPasses() && view().agent(node) != NodeAgent.ABSENT;
    return read ? hint.addTo(request) : request;
  }

  /** Returns the timeout of the proxy's own short requests. */
  public long requestTimeoutNanos() {
    return Deadlines.other(config(), view().timeouts(), RequestKind.OTHER);
  }

  long requestTimeoutNanos(Statement statement) {
    return Deadlines.other(config(), view().timeouts(), statement.kind());
  }

  /** Returns the timeout of a read, including its wait for a permit. */
  long readTimeoutNanos(Statement statement, PriorityClass priorityClass) {
    return Deadlines.read(config(), view().timeouts(), priorityClass, statement.isSerial());
  }

  /** Returns how long a node may be at work on a read before it counts as overloaded. */
  public long nodeTimeoutNanos(Statement statement, PriorityClass priorityClass) {
    return Deadlines.readAtNode(config(), view().timeouts(), priorityClass, statement.isSerial());
  }

  public long rangeTimeoutNanos() {
    return Deadlines.read(config(), view().timeouts(), PriorityClass.RANGE, false);
  }
}
