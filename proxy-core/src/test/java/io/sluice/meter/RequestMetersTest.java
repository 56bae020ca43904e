package io.sluice.meter;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.sluice.decide.classify.StatementShape;
import io.sluice.decide.rule.Rule.Limit;
import io.sluice.decide.rule.RuleFacts;
import io.sluice.execute.dispatch.PreparedTexts.PreparedText;
import io.sluice.execute.reply.Failure;
import io.sluice.fleet.PeerWatch;
import io.sluice.meter.ProxyMeters.RefusalReason;
import io.sluice.statement.Statement;
import io.sluice.statement.TestStatements;
import io.sluice.testkit.Records;
import io.sluice.wire.ErrorCode;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests where {@link ProxyMeters} counts the ends of requests. */
class RequestMetersTest {

  private static final Statement READ = TestStatements.of("SELECT v FROM ks.t WHERE k = 1");
  private static final Statement SCAN = TestStatements.of("SELECT v FROM ks.t");
  private static final Statement TRUNCATE = TestStatements.of("TRUNCATE ks.t");
  private static final int NO_ERROR = -1;

  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  private final ProxyMeters meters = new ProxyMeters(registry);

  private Map<String, Double> timed() {
    Map<String, Double> seconds = new TreeMap<>();
    for (Timer each : registry.get("sluice.requests").timers()) {
      if (each.count() > 0) {
        seconds.put(String.valueOf(each.getId().getTag("shape")), each.totalTime(TimeUnit.SECONDS));
      }
    }
    return seconds;
  }

  private Map<String, Double> errors() {
    return counted("sluice.errors", "origin", "error");
  }

  private Map<String, Double> refused() {
    return counted("sluice.refused", "reason", "class");
  }

  private Map<String, Double> counted(String name, String first, String second) {
    Map<String, Double> counts = new TreeMap<>();
    Stream.concat(
            registry.find(name).counters().stream()
                .map(each -> Map.entry(each.getId(), each.count())),
            registry.find(name).functionCounters().stream()
                .map(each -> Map.entry(each.getId(), each.count())))
        .filter(each -> each.getValue() != 0)
        .forEach(
            each ->
                counts.put(
                    each.getKey().getTag(first) + " " + each.getKey().getTag(second),
                    each.getValue()));
    return counts;
  }

  @Test
  void every_kind_of_statement_has_a_timer() {
    assertThat(registry.get("sluice.requests").timers()).hasSize(StatementShape.values().length);
    assertThat(timed()).isEmpty();
  }

  @Test
  void an_answered_request_is_timed_by_the_kind_of_its_statement() {
    meters.answered(READ, "etl", NO_ERROR, TimeUnit.SECONDS.toNanos(2));
    meters.answered(SCAN, "etl", NO_ERROR, TimeUnit.SECONDS.toNanos(5));
    assertThat(timed()).isEqualTo(Map.of("point_read", 2.0, "range_read", 5.0));
    assertThat(errors()).isEmpty();
    assertThat(
            registry.get("sluice.role.requests").tag("role", "(others)").functionCounter().count())
        .isEqualTo(2);
  }

  @Test
  void a_request_that_fails_in_the_proxy_is_timed_too() {
    meters.failed(new Failure.Unknown("x"), SCAN, TimeUnit.SECONDS.toNanos(10));
    assertThat(timed()).isEqualTo(Map.of("range_read", 10.0));
    assertThat(errors()).isEqualTo(Map.of("proxy read_timeout", 1.0));
  }

  @Test
  void a_prepared_statement_is_timed_apart() {
    Statement prepares =
        Records.with(READ, "prepares", new PreparedText("SELECT v FROM ks.t WHERE k = ?", null));
    meters.answered(prepares, "etl", NO_ERROR, TimeUnit.SECONDS.toNanos(3));
    assertThat(timed()).isEmpty();
    assertThat(registry.get("sluice.prepares").timer().totalTime(TimeUnit.SECONDS)).isEqualTo(3);
  }

  @Test
  void an_error_of_a_node_is_counted_whether_it_answers_a_request_or_a_handshake() {
    meters.answered(READ, "etl", ErrorCode.SERVER_ERROR, 1);
    meters.handshakeRefused(ErrorCode.OVERLOADED, true);
    assertThat(errors()).isEqualTo(Map.of("node server_error", 1.0, "node overloaded", 1.0));
    assertThat(refused()).isEmpty();
  }

  static Stream<Arguments> failures() {
    return Stream.of(
        Arguments.of(new Failure.Overloaded("x"), READ, "proxy overloaded", ""),
        Arguments.of(new Failure.Unreachable("x"), READ, "proxy unavailable", "unavailable point"),
        Arguments.of(new Failure.Unreachable("x"), SCAN, "proxy unavailable", "unavailable range"),
        Arguments.of(
            new Failure.Unreachable("x"), TRUNCATE, "proxy server_error", "unavailable other"),
        Arguments.of(new Failure.Unreachable("x"), null, "proxy server_error", "unavailable other"),
        Arguments.of(new Failure.Unknown("x"), READ, "proxy read_timeout", ""),
        Arguments.of(new Failure.Unknown("x"), TRUNCATE, "proxy truncate_error", ""),
        Arguments.of(new Failure.Refused(ErrorCode.INVALID, "x"), READ, "proxy invalid", ""),
        Arguments.of(new Failure.Internal("x"), READ, "fault server_error", ""));
  }

  @ParameterizedTest
  @MethodSource("failures")
  void a_failure_is_counted_as_an_error_and_as_a_refusal_if_no_node_could_be_reached(
      Failure failure, @Nullable Statement statement, String error, String refusal) {
    meters.failed(failure, statement);
    assertThat(errors()).isEqualTo(Map.of(error, 1.0));
    assertThat(refused()).isEqualTo(refusal.isEmpty() ? Map.of() : Map.of(refusal, 1.0));
  }

  @Test
  void a_refusal_by_a_rule_is_counted_by_the_rule_too() {
    meters.limited("few", Limit.ACTION, SCAN);
    meters.limited("few", Limit.ACTION, null);
    assertThat(counted("sluice.rule.refused", "rule", "limit"))
        .isEqualTo(Map.of("few " + Limit.ACTION.tag(), 2.0));
    assertThat(refused()).isEqualTo(Map.of("rule range", 1.0, "rule other", 1.0));
  }

  @Test
  void a_refusal_for_want_of_memory_names_its_class() {
    meters.refused(RefusalReason.MEMORY, READ);
    meters.refused(RefusalReason.MEMORY, null);
    assertThat(refused()).isEqualTo(Map.of("memory point", 1.0, "memory other", 1.0));
  }

  private static RuleFacts rule(String name, Limit... limits) {
    return new RuleFacts(
        0,
        name,
        "",
        "",
        List.of(),
        null,
        0,
        0,
        0,
        0,
        Stream.of(limits).map(each -> new RuleFacts.LimitFacts(each, 1, 0)).toList(),
        Map.of());
  }

  @Test
  void each_limit_of_a_rule_has_a_meter_before_it_refuses() {
    Limit other = Limit.RANGE_READS;
    meters.rules(List.of(rule("few", other), rule("none")));
    assertThat(
            registry.get("sluice.rule.refused").counters().stream()
                .map(each -> each.getId().getTag("rule") + " " + each.getId().getTag("limit")))
        .containsExactlyInAnyOrder("few " + other.tag(), "none " + Limit.ACTION.tag());
    assertThat(registry.get("sluice.rule.refused").counters())
        .extracting(Counter::count)
        .containsOnly(0.0);
  }

  @Test
  void the_sizes_are_read_when_they_are_asked_for() {
    int[] clients = {1};
    meters.sizes(() -> clients[0], () -> 2, () -> 3);
    clients[0] = 5;
    assertThat(gauge("sluice.clients")).isEqualTo(5);
    assertThat(gauge("sluice.links")).isEqualTo(2);
    assertThat(gauge("sluice.prepared.statements")).isEqualTo(3);
  }

  private double gauge(String name) {
    return registry.get(name).gauge().value();
  }

  @Test
  void a_proxy_outside_a_fleet_has_no_meters_of_one() {
    meters.fleet(() -> null);
    assertThat(registry.find("sluice.fleet.members").gauge()).isNull();
  }

  @Test
  void a_proxy_of_a_fleet_shows_its_size_and_its_faults() {
    AtomicReference<PeerWatch.Facts> facts =
        new AtomicReference<>(new PeerWatch.Facts(3, false, 0));
    meters.fleet(facts::get);
    assertThat(gauge("sluice.fleet.members")).isEqualTo(3);
    assertThat(gauge("sluice.fleet.alone")).isZero();
    facts.set(new PeerWatch.Facts(1, true, 2));
    assertThat(gauge("sluice.fleet.members")).isEqualTo(1);
    assertThat(gauge("sluice.fleet.alone")).isEqualTo(1);
    assertThat(gauge("sluice.fleet.doubles")).isEqualTo(2);
  }

  @Test
  void a_proxy_of_a_fleet_shows_its_part_of_range_slots() {
    AtomicReference<Number> part = new AtomicReference<>(0.5);
    meters.rangePart(part::get);
    assertThat(gauge("sluice.fleet.range.part")).isEqualTo(0.5);
    part.set(1);
    assertThat(gauge("sluice.fleet.range.part")).isEqualTo(1);
  }

  @Test
  void looking_gives_busy_roles_their_own_meters() {
    meters.worked("etl", 1e6);
    meters.look();
    meters.worked("etl", 2e6);
    Function<String, FunctionCounter> of =
        role -> registry.get("sluice.role.work.seconds").tag("role", role).functionCounter();
    assertThat(of.apply("etl").count()).isEqualTo(2);
    assertThat(of.apply("(others)").count()).isEqualTo(1);
  }
}
