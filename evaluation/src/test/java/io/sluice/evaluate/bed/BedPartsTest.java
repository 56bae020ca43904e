package io.sluice.evaluate.bed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BedPartsTest {
  @ParameterizedTest
  @CsvSource({
    "O, false, fifo, 1",
    "RES, true, fifo, 1",
    "P, false, fifo, 64",
    "RES_P, true, fifo, 64",
    "P_RAS, false, narrow-first, 64",
    "A, true, narrow-first, 64"
  })
  void the_paper_s_settings(Variant variant, boolean pointPriority, String order, int pieces) {
    assertThat(variant.settings().lines())
        .containsExactly(
            "scheduling: {pointPriority: "
                + pointPriority
                + ", rangeOrder: "
                + order
                + ", rangeSlots: 32}",
            "split: {parallel: paper, maxSubRequests: " + pieces + ", shareScans: false}");
  }

  @Test
  void sluice_is_its_defaults_and_direct_is_no_proxy() {
    assertThat(Variant.SLUICE.settings()).isEmpty();
    assertThat(Variant.SLUICE.hasProxy()).isTrue();
    assertThat(Variant.DIRECT.hasProxy()).isFalse();
  }

  @Test
  void targets_are_named_as_the_paper_names_them() {
    assertThat(Variant.of(List.of("direct", "ReS+P", "sluice", "direct")))
        .containsExactly(Variant.DIRECT, Variant.RES_P, Variant.SLUICE);
    assertThatThrownBy(() -> Variant.of(List.of("B"))).hasMessageContaining("P+RaS");
  }

  @Test
  void a_metric_is_summed_over_its_labels() {
    String text =
        """
        # HELP m_total rows
        m_total{node="127.0.0.1:9042",state="a b"} 2.5
        m_total{node="127.0.0.2:9042"} 4.0 1700000000
        m_total_other 9
        single 7
        """;

    assertThat(Metrics.sum(text, "m_total")).hasValue(6.5);
    assertThat(Metrics.sum(text, "single")).hasValue(7);
    assertThat(Metrics.sum(text, "m")).isEmpty();
  }

  @Test
  void an_ended_node_is_named_with_the_end_of_its_log() {
    assertThat(
            EndedNodes.describe("node 2 (127.0.0.2:9042)", List.of("INFO  up", "  out of heap ")))
        .isEqualTo("node 2 (127.0.0.2:9042), whose log ends with: out of heap");
    assertThat(EndedNodes.describe("node 2", List.of())).isEqualTo("node 2, which logged nothing");
  }

  @Test
  void over_fetch_is_the_share_of_rows_read_but_not_returned() {
    ProxyWatch.Reading before = new ProxyWatch.Reading(Duration.ZERO, null, 100.0, 100.0);
    ProxyWatch.Reading after = new ProxyWatch.Reading(Duration.ZERO, null, 310.0, 300.0);

    assertThat(after.overFetchSince(before)).isEqualTo(210.0 / 200 - 1);
    assertThat(before.overFetchSince(before)).isNull();
    assertThat(after.overFetchSince(new ProxyWatch.Reading(Duration.ZERO, null, null, null)))
        .isNull();
  }
}
