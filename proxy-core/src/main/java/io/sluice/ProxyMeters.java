package io.sluice;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.sluice.decide.classify.StatementShape;
import io.sluice.execute.reply.Failure;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** What is counted. Safe for any thread. */
final class ProxyMeters {

  private final MeterRegistry registry;
  private final Map<StatementShape, Counter> requests = new EnumMap<>(StatementShape.class);
  private final Map<Integer, Counter> nodeErrors = new ConcurrentHashMap<>();
  private final Map<String, Counter> failures = new ConcurrentHashMap<>();
  private final Counter prepares;

  ProxyMeters(MeterRegistry registry) {
    this.registry = registry;
    for (StatementShape shape : StatementShape.values()) {
      requests.put(
          shape,
          Counter.builder("sluice.requests")
              .description("Requests that a node answered, by what their statement is")
              .tag("shape", shape.name().toLowerCase(Locale.ROOT))
              .register(registry));
    }
    this.prepares =
        Counter.builder("sluice.prepares")
            .description("Statements prepared by clients")
            .register(registry);
  }

  void answered(Statement statement, int errorCode) {
    if (statement.prepares() != null) {
      prepares.increment();
    } else {
      Counter counter = requests.get(statement.shape().shape());
      if (counter != null) {
        counter.increment();
      }
    }
    if (errorCode >= 0) {
      nodeErrors.computeIfAbsent(errorCode, this::nodeError).increment();
    }
  }

  void handshakeRefused(int errorCode) {
    nodeErrors.computeIfAbsent(errorCode, this::nodeError).increment();
  }

  private Counter nodeError(int code) {
    return Counter.builder("sluice.node.errors")
        .description("Errors that nodes answered with, by code")
        .tag("code", "0x%04x".formatted(code))
        .register(registry);
  }

  void failed(Failure failure) {
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
