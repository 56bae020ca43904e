package io.sluice.meter;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.sluice.accept.ClientListener;
import io.sluice.decide.classify.StatementShape;
import io.sluice.decide.rule.Limit;
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

  /** A reason for which a request is refused whatever the node. */
  public enum RefusalReason {
    /** No node that could take it can be reached. */
    UNAVAILABLE,
    /** A rule of the operator. */
    RULE,
    /** Memory is short, and its client holds much of it. */
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
              .description("Answered requests, from their arrival, by what their statement is")
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

  /** What the listener for clients counts. */
  public void clients(ClientListener listener) {
    ClientMeters.register(registry, listener);
  }

  /** Sizes that others know. */
  public void sizes(IntSupplier clients, IntSupplier links, LongSupplier preparedStatements) {
    gauge("sluice.clients", "Client connections", clients::getAsInt);
    gauge("sluice.links", "Connections to nodes that are ready for requests", links::getAsInt);
    gauge(
        "sluice.prepared.statements",
        "Prepared statements that are remembered",
        preparedStatements::getAsLong);
  }

  /** What heartbeats show of other proxies, where there are any. */
  public void fleet(Supplier<PeerWatch.@Nullable Facts> facts) {
    if (facts.get() != null) {
      gauge(
          "sluice.fleet.members",
          "Proxies of this data centre that are alive by their heartbeats, this one too",
          () -> now(facts).members());
      gauge(
          "sluice.fleet.alone",
          "1 while the keyspace of the fleet cannot be used",
          () -> now(facts).alone() ? 1 : 0);
      gauge(
          "sluice.fleet.doubles",
          "Other processes with this proxy's cql.advertise, which is a mistake",
          () -> now(facts).doubles());
    }
  }

  private static PeerWatch.Facts now(Supplier<PeerWatch.@Nullable Facts> facts) {
    return Objects.requireNonNull(facts.get());
  }

  private void gauge(String name, String what, Supplier<Number> value) {
    Gauge.builder(name, value).description(what).register(registry);
  }

  /** Follows the nodes of the local data centre. */
  public void changed(Ring ring) {
    reads.changed(ring);
  }

  /** The phases of reads. */
  public ReadMeters reads() {
    return reads;
  }

  /** What each role uses. */
  public RoleMeters roles() {
    return roles;
  }

  /** Looks at what was counted until now. Called every five seconds. */
  public void look() {
    roles.rank();
    reads.mark();
  }

  /**
   * A node has answered a request.
   *
   * @param errorCode below 0 when the answer is no error
   */
  public void answered(Statement statement, String role, int errorCode, long nanos) {
    Timer timer = statement.prepares() != null ? prepares : requests.get(statement.shape().shape());
    if (timer != null) {
      timer.record(nanos, TimeUnit.NANOSECONDS);
    }
    roles.answered(role);
    if (errorCode >= 0) {
      errors.count(Origin.NODE, errorCode);
    }
  }

  /** A node did not let a client in. */
  public void handshakeRefused(int errorCode) {
    errors.count(Origin.NODE, errorCode);
  }

  /** A rule has refused a request, or a connection, which has no statement. */
  public void limited(String rule, Limit limit, @Nullable Statement statement) {
    refused(rule, limit).increment();
    refused(RefusalReason.RULE, statement);
  }

  /** Rules whose limits are shown with 0 until they refuse something. */
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

  /** A request was refused, whatever the node; {@code statement} is null for a connection. */
  public void refused(RefusalReason reason, @Nullable Statement statement) {
    refusals.refused(reason, statement == null ? null : statement.shape().shape());
  }

  /** The proxy itself has answered a request with an error. */
  public void failed(Failure failure, @Nullable Statement statement) {
    RequestKind kind = statement == null ? RequestKind.OTHER : statement.kind();
    boolean fault = failure instanceof Failure.Internal;
    errors.count(fault ? Origin.FAULT : Origin.PROXY, Replier.code(kind, failure));
    if (failure instanceof Failure.Unreachable) {
      refused(RefusalReason.UNAVAILABLE, statement);
    }
  }
}
