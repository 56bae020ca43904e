package io.sluice.watch;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NodeTimeoutsTest {

  private static final NodeTimeouts USUAL = NodeTimeouts.of(Map.of());

  @Test
  void cassandra_4_0_has_the_unit_in_the_name() {
    NodeTimeouts read =
        NodeTimeouts.of(
            Map.of(
                "read_request_timeout_in_ms", "7000",
                "truncate_request_timeout_in_ms", "90000",
                "cas_contention_timeout_in_ms", "1000"));
    assertThat(read.read()).isEqualTo(Duration.ofSeconds(7));
    assertThat(read.truncate()).isEqualTo(Duration.ofSeconds(90));
    assertThat(read.contention()).isEqualTo(Duration.ofSeconds(1));
    assertThat(read.write()).as("what is not told is as usual").isEqualTo(Duration.ofSeconds(2));
  }

  @Test
  void cassandra_4_1_and_later_have_the_unit_in_the_value() {
    NodeTimeouts read =
        NodeTimeouts.of(
            Map.of(
                "read_request_timeout", "7000ms",
                "range_request_timeout", "11s",
                "write_request_timeout", "2500ms",
                "counter_write_request_timeout", "6s",
                "cas_contention_timeout", "1800ms",
                "truncate_request_timeout", "2m",
                "request_timeout", "13s",
                "native_transport_timeout", "14s"));
    assertThat(read)
        .isEqualTo(
            new NodeTimeouts(
                Duration.ofSeconds(7),
                Duration.ofSeconds(11),
                Duration.ofMillis(2500),
                Duration.ofSeconds(6),
                Duration.ofMillis(1800),
                Duration.ofMinutes(2),
                Duration.ofSeconds(13),
                Duration.ofSeconds(14)));
  }

  @ParameterizedTest
  @CsvSource({
    "5000, PT5S",
    "5000ms, PT5S",
    "12s, PT12S",
    "3m, PT3M",
    "2h, PT2H",
    "1d, PT24H",
    "1500us, PT0.0015S",
    "1500µs, PT0.0015S",
    "1000000ns, PT0.001S",
    "' 5 s ', PT5S",
    "'',",
    "soon,",
    "-5s,",
    "5 parsecs,",
    "9999999999999999999 parsecs,",
    "3650d, PT87600H",
    "3651d, PT87600H",
    "300000000000000ms, PT87600H",
    "999999999999999999d, PT87600H",
    "9999999999999999999s, PT87600H"
  })
  void a_value_is_a_number_with_a_unit(String value, @Nullable Duration expected) {
    assertThat(NodeTimeouts.duration(value)).isEqualTo(expected);
  }

  @Test
  void each_setting_is_the_largest_of_all_nodes() {
    NodeTimeouts slowReads = NodeTimeouts.of(Map.of("read_request_timeout", "9s"));
    NodeTimeouts slowWrites = NodeTimeouts.of(Map.of("write_request_timeout", "8s"));
    NodeTimeouts largest = NodeTimeouts.largest(List.of(slowReads, slowWrites, USUAL));
    assertThat(largest)
        .isEqualTo(
            NodeTimeouts.of(Map.of("read_request_timeout", "9s", "write_request_timeout", "8s")));
    assertThat(NodeTimeouts.largest(List.of())).as("no node has told").isNull();
  }

  @Test
  void the_query_contains_the_names_of_all_versions() {
    assertThat(NodeTimeouts.query())
        .startsWith("SELECT name, value FROM system_views.settings WHERE name IN (")
        .contains("'write_request_timeout', 'write_request_timeout_in_ms'");
  }
}
