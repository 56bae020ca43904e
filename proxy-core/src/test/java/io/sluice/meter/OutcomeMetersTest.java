package io.sluice.meter;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.sluice.decide.classify.StatementShape;
import io.sluice.decide.plan.Splittable.Reason;
import io.sluice.meter.ErrorMeters.Origin;
import io.sluice.meter.HedgeMeters.Outcome;
import io.sluice.meter.HedgeMeters.Skipped;
import io.sluice.meter.HomeMeters.Fallback;
import io.sluice.meter.ProxyMeters.RefusalReason;
import io.sluice.wire.ErrorCode;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests meters of one family: each exists at 0, and an event counts in one of them. */
class OutcomeMetersTest {

  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

  /** Returns the counts of a family that are not 0, by the value of this tag. */
  private Map<String, Double> counted(String name, String tag) {
    Map<String, Double> counts = new TreeMap<>();
    for (Counter each : registry.find(name).counters()) {
      if (each.count() != 0) {
        counts.put(String.valueOf(each.getId().getTag(tag)), each.count());
      }
    }
    return counts;
  }

  private List<String> tags(String name, String tag) {
    return registry.find(name).meters().stream()
        .map(each -> String.valueOf(each.getId().getTag(tag)))
        .toList();
  }

  private static List<String> names(Enum<?>... values) {
    return Arrays.stream(values).map(each -> each.name().toLowerCase(Locale.ROOT)).toList();
  }

  @ParameterizedTest
  @CsvSource({
    "NODE, 0x1001, node, overloaded",
    "PROXY, 0x1000, proxy, unavailable",
    "NODE, 0x7777, node, other",
    "FAULT, 0x0000, fault, server_error",
    "FAULT, 0x1001, fault, other",
  })
  void an_error_counts_by_its_origin_and_code(
      Origin origin, String code, String originTag, String errorTag) {
    new ErrorMeters(registry).count(origin, Integer.decode(code));
    assertThat(counted("sluice.errors", "origin")).isEqualTo(Map.of(originTag, 1.0));
    assertThat(counted("sluice.errors", "error")).isEqualTo(Map.of(errorTag, 1.0));
  }

  @Test
  void every_error_of_the_protocol_has_a_meter_for_nodes_and_for_the_proxy() {
    new ErrorMeters(registry);
    int codes = ErrorCode.all().size();
    assertThat(tags("sluice.errors", "origin"))
        .hasSize(2 * (codes + 1) + 4)
        .containsOnly("node", "proxy", "fault");
    assertThat(registry.get("sluice.errors").tag("origin", "fault").counters()).hasSize(4);
    assertThat(tags("sluice.errors", "error")).noneMatch(each -> each.startsWith("0x"));
  }

  private Map<String, Double> refused() {
    Map<String, Double> counts = new TreeMap<>();
    for (FunctionCounter each : registry.find("sluice.refused").functionCounters()) {
      if (each.count() != 0) {
        counts.put(
            each.getId().getTag("reason") + " " + each.getId().getTag("class"), each.count());
      }
    }
    return counts;
  }

  @ParameterizedTest
  @CsvSource({
    "POINT_READ, point",
    "MULTI_POINT_READ, point",
    "RANGE_READ, range",
    "WRITE, other",
    "TRUNCATE, other",
    ", other",
  })
  void a_refusal_counts_by_its_reason_and_the_class_of_its_statement(
      @Nullable StatementShape shape, String of) {
    RefusalMeters meters = new RefusalMeters(registry);
    meters.refused(RefusalReason.MEMORY, shape);
    assertThat(refused()).isEqualTo(Map.of("memory " + of, 1.0));
    meters.refused(RefusalReason.RULE, shape);
    assertThat(refused()).isEqualTo(Map.of("memory " + of, 1.0, "rule " + of, 1.0));
  }

  @Test
  void each_reason_of_a_refusal_has_a_meter_for_each_class() {
    new RefusalMeters(registry);
    assertThat(registry.get("sluice.refused").meters()).hasSize(9);
    assertThat(tags("sluice.refused", "node")).as("refused by no node's queue").containsOnly("");
    assertThat(tags("sluice.refused", "reason")).contains("unavailable", "rule", "memory");
    assertThat(tags("sluice.refused", "class")).contains("point", "range", "other");
  }

  @ParameterizedTest
  @EnumSource
  void the_outcome_of_a_hedge_is_counted(Outcome outcome) {
    new HedgeMeters(registry).ended(outcome);
    assertThat(counted("sluice.hedged.reads", "outcome"))
        .isEqualTo(Map.of(names(outcome).get(0), 1.0));
    assertThat(tags("sluice.hedged.reads", "outcome"))
        .containsExactlyInAnyOrderElementsOf(names(Outcome.values()));
    assertThat(counted("sluice.hedges.skipped", "reason")).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void a_hedge_that_is_not_sent_is_counted_by_its_reason(Skipped reason) {
    new HedgeMeters(registry).skipped(reason);
    assertThat(counted("sluice.hedges.skipped", "reason"))
        .isEqualTo(Map.of(names(reason).get(0), 1.0));
    assertThat(tags("sluice.hedges.skipped", "reason"))
        .containsExactlyInAnyOrderElementsOf(names(Skipped.values()));
    assertThat(counted("sluice.hedged.reads", "outcome")).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void a_piece_that_does_not_go_to_its_home_is_counted_by_the_reason(Fallback reason) {
    new HomeMeters(registry).fellBack(reason);
    assertThat(counted("sluice.home.fallbacks", "reason"))
        .isEqualTo(Map.of(names(reason).get(0), 1.0));
    assertThat(tags("sluice.home.fallbacks", "reason"))
        .containsExactlyInAnyOrderElementsOf(names(Fallback.values()));
  }

  @Test
  void pieces_sent_to_homes_and_those_of_guests_are_counted_apart() {
    HomeMeters meters = new HomeMeters(registry);
    meters.sent();
    meters.sent();
    meters.guest();
    assertThat(registry.get("sluice.home.sent").counter().count()).isEqualTo(2);
    assertThat(registry.get("sluice.home.guests").counter().count()).isEqualTo(1);
    assertThat(counted("sluice.home.fallbacks", "reason")).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void a_range_read_that_goes_whole_to_one_node_is_counted_by_the_reason(Reason reason) {
    new SplitMeters(registry, () -> 0).whole(reason);
    assertThat(counted("sluice.range.reads", "whole")).isEqualTo(Map.of(names(reason).get(0), 1.0));
    assertThat(tags("sluice.range.reads", "whole")).hasSize(Reason.values().length + 1);
  }

  @Test
  void a_split_range_read_is_counted_with_its_pages_and_pieces() {
    SplitMeters meters = new SplitMeters(registry, () -> 77);
    meters.scattered();
    meters.sent();
    meters.sent();
    meters.sent();
    meters.spared();
    meters.page(2, 30, 10);
    meters.page(1, 5, 5);
    assertThat(counted("sluice.range.reads", "whole")).isEqualTo(Map.of("none", 1.0));
    assertThat(count("sluice.split.subrequests")).isEqualTo(3);
    assertThat(count("sluice.split.spared")).isEqualTo(1);
    assertThat(count("sluice.split.pages")).isEqualTo(2);
    assertThat(count("sluice.split.waves")).isEqualTo(3);
    assertThat(count("sluice.split.rows.read")).isEqualTo(35);
    assertThat(count("sluice.split.rows.returned")).isEqualTo(15);
    assertThat(count("sluice.split.shared")).isZero();
    assertThat(count("sluice.split.rows.shared")).isZero();
    assertThat(registry.get("sluice.split.buffered.bytes").gauge().value()).isEqualTo(77);
  }

  private double count(String name) {
    return registry.get(name).counter().count();
  }
}
