package io.sluice.server.tool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The shares of a point read's time, computed from virtual tables. */
class ReadLoadTest {

  /** A load of 1,000 point reads and 10 scans per second; a scan takes 200 times as long. */
  private static ReadLoad load(double running, double waiting) {
    return new ReadLoad(10, 10_000, 100, 0.1, 20, 40, running, waiting);
  }

  @Test
  void waiting_is_what_stands_in_line_over_the_pace() {
    assertThat(load(3, 1.01).waitMillis()).isCloseTo(1, within(1e-9));
    assertThat(load(3, 0).waitMillis()).isZero();
  }

  @Test
  void scans_take_their_part_of_the_threads_whatever_the_unit_is() {
    assertThat(load(3, 1).minScanShare()).isCloseTo(2.0 / 3, within(1e-9));
    assertThat(load(3, 1).maxScanShare()).isCloseTo(0.8, within(1e-9));
    ReadLoad inSeconds = new ReadLoad(10, 10_000, 100, 1e-4, 20e-3, 40e-3, 3, 1);
    assertThat(inSeconds.minScanShare()).isCloseTo(2.0 / 3, within(1e-9));
    assertThat(inSeconds.minShareBehindScans())
        .isCloseTo(load(3, 1).minShareBehindScans(), within(1e-9));
  }

  @Test
  void a_point_read_waits_for_1_ms_and_runs_for_1_ms() {
    // Three threads are busy, two of them with scans: one thread for 1,000 points a second.
    ReadLoad load = load(3, 1.01);
    assertThat(load.minWaitShare()).isCloseTo(0.5, within(1e-9));
    assertThat(load.minShareBehindScans()).isCloseTo(1.0 / 3, within(1e-9));
    assertThat(load.maxShareBehindScans()).isCloseTo(0.8 / 1.6, within(1e-9));
  }

  @Test
  void without_scans_nothing_waits_behind_them() {
    ReadLoad load = new ReadLoad(10, 10_000, 0, 0.1, 0, 0, 3, 5);
    assertThat(load.minWaitShare()).isPositive();
    assertThat(load.maxShareBehindScans()).isZero();
  }

  @Test
  void an_idle_node_has_no_meaningful_load_and_its_shares_are_zero() {
    ReadLoad idle = new ReadLoad(10, 0, 0, 0, 0, 0, 0, 0);
    assertThat(idle.isMeaningful()).isFalse();
    assertThat(idle.waitMillis()).isZero();
    assertThat(idle.minWaitShare()).isZero();
    assertThat(idle.maxShareBehindScans()).isZero();
    assertThat(new ReadLoad(0, 5, 5, 1, 1, 1, 1, 1).isMeaningful()).isFalse();
  }

  @Test
  void each_table_counts_with_its_own_time() {
    Map<String, ReadTables.Latency> before =
        Map.of("a.t", new ReadTables.Latency(100, 1, 9), "a.gone", new ReadTables.Latency(5, 1, 1));
    Map<String, ReadTables.Latency> after =
        Map.of(
            "a.t", new ReadTables.Latency(130, 2, 10),
            "a.new", new ReadTables.Latency(10, 6, 20),
            "a.restarted", new ReadTables.Latency(0, Double.NaN, Double.NaN));
    ReadTables.Sum sum = new ReadTables.Sum(before, after);
    assertThat(sum.count()).isEqualTo(40);
    assertThat(sum.median()).isEqualTo(3);
    assertThat(sum.slow()).isEqualTo(12.5);
    ReadTables.Sum fewer = new ReadTables.Sum(after, before);
    assertThat(fewer.count()).as("counters began anew").isEqualTo(5);
  }

  @Test
  void the_report_says_what_is_known_and_what_is_not() {
    List<String> lines =
        AdviseCommand.lines(
            List.of(
                new AdviseCommand.Seen("n1", load(3, 1.01)),
                new AdviseCommand.Seen("n2", new ReadLoad(10, 0, 0, 0, 0, 0, 0, 0))));
    assertThat(lines.get(0)).startsWith("NODE").endsWith("BEHIND SCANS");
    assertThat(lines.get(1)).contains("1000.0", "1.0", "50 to 63 %", "33 to 50 %");
    assertThat(lines.get(2)).endsWith("–");
    assertThat(lines)
        .contains(
            "Of the time of point reads at nodes, 33 to 50 % is waiting for a thread behind"
                + " scans.");
    assertThat(AdviseCommand.lines(List.of(new AdviseCommand.Seen("n1", load(3, 0)))))
        .contains("Point reads do not wait behind scans for threads (0 %).");
    assertThat(AdviseCommand.lines(List.of())).anyMatch(line -> line.contains("nothing can be"));
  }
}
