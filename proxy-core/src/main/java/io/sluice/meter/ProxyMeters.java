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
import io.sluice.statement.Statement;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/** The counts of requests and of their outcomes. Safe for any thread. */
public final class ProxyMeters {

  private final MeterRegistry registry;
  private final Map<StatementShape, Timer> requests = new EnumMap<>(StatementShape.class);
  private final Map<Integer, Counter> nodeErrors = new ConcurrentHashMap<>();
  private final Map<String, Counter> failures = new ConcurrentHashMap<>();
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

  private void gauge(String name, String what, Supplier<Number> value) {
    Gauge.builder(name, value).description(what).register(registry);
  }

  public void answered(Statement statement, int errorCode, long nanos) {
    Timer timer = statement.prepares() != null ? prepares : requests.get(statement.shape().shape());
    if (timer != null) {
      timer.record(nanos, TimeUnit.NANOSECONDS);
    }
    if (errorCode >= 0) {
      nodeErrors.computeIfAbsent(errorCode, this::nodeError).increment();
    }
  }

  public void handshakeRefused(int errorCode) {
    nodeErrors.computeIfAbsent(errorCode, this::nodeError).increment();
  }

  private Counter nodeError(int code) {
    return Counter.builder("sluice.node.errors")
        .description("Errors that nodes answered with, by code")
        .tag("code", "0x%04x".formatted(code))
        .register(registry);
  }

  /** A rule has refused a request or a connection. */
  public void limited(String rule, Limit limit) {
    refused(rule, limit).increment();
  }

  /** Rules whose limits are shown with 0 until they refuse something. */
  public void rules(List<RuleFacts> rules) {
    for (RuleFacts rule : rules) {
      rule.limits().forEach(each -> refused(rule.name(), each.limit()));
    }
  }

  private Counter refused(String rule, Limit limit) {
    return Counter.builder("sluice.rule.refused")
        .description("Requests and connections that a rule of the operator has refused")
        .tags("rule", rule, "limit", limit.tag())
        .register(registry);
  }

  public void failed(Failure failure) {
    failures
        .computeIfAbsent(failure.getClass().getSimpleName().toLowerCase(Locale.ROOT), this::failure)
        .increment();
  }

  private Counter failure(String kind) {
    return Counter.builder("sluice.failures")
        .description("Requests that the proxy itself answered with an error")
        .tag("kind", kind)
        .register(registry);
  }
}
