package io.sluice.meter;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.sluice.accept.ClientListener;
import io.sluice.decide.classify.StatementShape;
import io.sluice.decide.rule.Rule.Limit;
import io.sluice.decide.rule.RuleFacts;
import io.sluice.execute.reply.Failure;
import io.sluice.execute.reply.Replier;
import io.sluice.execute.reply.RequestKind;
import io.sluice.fleet.PeerWatch;
import io.sluice.meter.ErrorMeters.Origin;
import io.sluice.ring.Ring;
import io.sluice.statement.Statement;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The counts of requests and of their outcomes. Safe for any thread. */
public final class ProxyMeters {

  /** The reason why a request is refused independently of any node. */
  public enum RefusalReason {
    /** No node that could take the request is reachable. */
    UNAVAILABLE,
    /** A rule of the operator refuses it. */
    RULE,
    /** Memory is short, and the client holds much of it. */
    MEMORY
  }

  private final MeterRegistry registry;
  private final Map<StatementShape, Timer> requests = new EnumMap<>(StatementShape.class);
  private final ErrorMeters errors;
  private final RefusalMeters refusals;
  private final ReadMeters reads;
  private final RoleMeters roles;
  private final Timer prepares;

  public ProxyMeters(MeterRegistry registry) {
    this.registry = registry;
    for (StatementShape shape : StatementShape.values()) {
      requests.put(
          shape,
          Timer.builder("sluice.requests")
              .description(
                  "Time from the arrival of requests to their response, by kind of statement")
              .publishPercentileHistogram()
              .tag("shape", shape.name().toLowerCase(Locale.ROOT))
              .register(registry));
    }
    this.errors = new ErrorMeters(registry);
    this.refusals = new RefusalMeters(registry);
    this.reads = new ReadMeters(registry);
    this.roles = new RoleMeters(registry);
    this.prepares =
        Timer.builder("sluice.prepares")
            .description("Statements prepared by clients")
            .register(registry);
  }

  /** Registers the meters of the client listener. */
  public void clients(ClientListener listener) {
    ClientMeters.register(registry, listener);
  }

  /** Registers gauges of the number of clients, links and prepared statements. */
  public void sizes(IntSupplier clients, IntSupplier links, LongSupplier preparedStatements) {
    gauge("sluice.clients", "Client connections", clients::getAsInt);
    gauge("sluice.links", "Connections to nodes that are ready for requests", links::getAsInt);
    gauge(
        "sluice.prepared.statements",
        "Prepared statements in the cache",
        preparedStatements::getAsLong);
  }

  /** Registers gauges of the fleet, where this proxy follows heartbeats. */
  public void fleet(Supplier<PeerWatch.@Nullable Facts> facts) {
    if (facts.get() != null) {
      gauge(
          "sluice.fleet.members",
          "Proxies of this data centre that are alive by their heartbeats, including this one",
          () -> now(facts).members());
      gauge(
          "sluice.fleet.alone",
          "1 while the keyspace of the fleet cannot be used",
          () -> now(facts).alone() ? 1 : 0);
      gauge(
          "sluice.fleet.doubles",
          "Other processes with this proxy's cql.advertise, which is a configuration error",
          () -> now(facts).doubles());
    }
  }

  /** Registers a gauge of this proxy's part of range slots that a fleet divides. */
  public void rangePart(Supplier<Number> part) {
    gauge(
        "sluice.fleet.range.part",
        "This proxy's part of the range slots of each node, which the fleet divides by demand",
        part);
  }

  private static PeerWatch.Facts now(Supplier<PeerWatch.@Nullable Facts> facts) {
    return Objects.requireNonNull(facts.get());
  }

  private void gauge(String name, String what, Supplier<Number> value) {
    Gauge.builder(name, value).description(what).register(registry);
  }

  /** Updates the meters to the nodes that have queues, and to their addresses. */
  public void changed(Ring ring) {
    reads.changed(ring);
  }

  /** Returns the meters of the phases of reads. */
  public ReadMeters reads() {
    return reads;
  }

  /**
   * Adds the work that a node has done for a read of a role.
   *
   * @param micros the work; NaN when it is not known
   */
  public void worked(String role, double micros) {
    roles.worked(role, micros);
  }

  /** Ranks the roles and marks the recent times. Called every five seconds. */
  public void look() {
    roles.rank();
    reads.mark();
  }

  /**
   * Counts a request that a node has answered.
   *
   * @param errorCode below 0 when the response is no error
   */
  public void answered(Statement statement, String role, int errorCode, long nanos) {
    took(statement, nanos);
    roles.answered(role);
    if (errorCode >= 0) {
      errors.count(Origin.NODE, errorCode);
    }
  }

  private void took(Statement statement, long nanos) {
    Timer timer =
        statement.prepares() != null ? prepares : requests.get(statement.classified().shape());
    if (timer != null) {
      timer.record(nanos, TimeUnit.NANOSECONDS);
    }
  }

  /** Counts a client that a node, or else the proxy itself, has not let in. */
  public void handshakeRefused(int errorCode, boolean byNode) {
    errors.count(byNode ? Origin.NODE : Origin.PROXY, errorCode);
  }

  /** Counts a request or a connection that a rule has refused. A connection has no statement. */
  public void limited(String rule, Limit limit, @Nullable Statement statement) {
    refused(rule, limit).increment();
    refused(RefusalReason.RULE, statement);
  }

  /** Registers the limits of rules, so that they show 0 until they refuse something. */
  public void rules(List<RuleFacts> rules) {
    for (RuleFacts rule : rules) {
      rule.limits().forEach(each -> refused(rule.name(), each.limit()));
      if (rule.limits().isEmpty()) {
        refused(rule.name(), Limit.ACTION);
      }
    }
  }

  private Counter refused(String rule, Limit limit) {
    return Counter.builder("sluice.rule.refused")
        .description("Requests and connections that a rule of the operator has refused")
        .tags("rule", rule, "limit", limit.tag())
        .register(registry);
  }

  /**
   * Counts a request refused independently of any node; {@code statement} is null for a connection.
   */
  public void refused(RefusalReason reason, @Nullable Statement statement) {
    refusals.refused(reason, statement == null ? null : statement.classified().shape());
  }

  /**
   * Counts a request that the proxy itself has answered with an error, {@code nanos} after its
   * arrival.
   */
  public void failed(Failure failure, Statement statement, long nanos) {
    took(statement, nanos);
    failed(failure, statement);
  }

  /** Counts such a request without its time, which is unknown or was counted before a fault. */
  public void failed(Failure failure, @Nullable Statement statement) {
    RequestKind kind = statement == null ? RequestKind.OTHER : statement.kind();
    boolean fault = failure instanceof Failure.Internal;
    errors.count(fault ? Origin.FAULT : Origin.PROXY, Replier.code(kind, failure));
    if (failure instanceof Failure.Unreachable) {
      refused(RefusalReason.UNAVAILABLE, statement);
    }
  }
}
