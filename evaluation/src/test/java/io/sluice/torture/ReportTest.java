package io.sluice.torture;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.torture.check.Call;
import io.sluice.torture.check.Checker;
import io.sluice.torture.check.Disturbance;
import io.sluice.torture.check.Failure;
import io.sluice.torture.check.History;
import io.sluice.torture.check.Level;
import io.sluice.torture.check.Operation;
import io.sluice.torture.check.Verdict;
import io.sluice.torture.check.Violation;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ReportTest {
  private static final Failure CLOSED = new Failure(Failure.Kind.CLOSED, "gone");

  /** A write that is not read, and an error during a fault. */
  private static final History WRONG =
      new History(
          3,
          List.of(
              new Operation.Write(new Call(0, 4, 0, 1_000_000, null), 7, 70),
              new Operation.Read(
                  new Call(1, 5, 2_000_000, 3_500_000, null), Level.QUORUM, 7, Operation.ABSENT),
              new Operation.Write(new Call(2, 4, 5_000_000, 6_000_000, CLOSED), 8, 80)),
          List.of(),
          List.of(new Disturbance("kill -9 node 2", 4_000_000, 9_000_000, true)));

  private static List<String> lines() {
    return Report.lines(
        "seed 7",
        WRONG,
        new Checker(0, 100).judge(WRONG),
        List.of(new Fault(Fault.Kind.PAUSE_PROXY, 1, 0, 1)));
  }

  @Test
  void a_summary_counts_requests_errors_faults_and_violations() {
    assertThat(lines())
        .startsWith(
            "seed 7",
            "3 requests, 1 failed {CLOSED=1}; 0 scans, 0 complete; 1 fault;"
                + " 1 violation {VALUES=1}");
  }

  @Test
  void a_summary_names_one_thing_in_the_singular_and_several_in_the_plural() {
    History one =
        new History(
            1,
            List.of(new Operation.Write(new Call(0, 4, 0, 1, null), 7, 70)),
            List.of(),
            List.of());

    assertThat(Report.summary(one, new Verdict(List.of(), List.of(3L))))
        .isEqualTo(
            "1 request, 0 failed; 0 scans, 0 complete; 0 faults; 0 violations,"
                + " 1 register undecided");
  }

  @Test
  void faults_are_reported_with_their_times_and_left_out_ones_as_such() {
    assertThat(lines())
        .contains(
            "     0.0040 s to    0.0090 s  kill -9 node 2",
            "  left out, because earlier faults took too long: pause proxy 1");
  }

  @Test
  void the_addresses_of_faults_and_of_closed_connections_are_reported() {
    Failure closed = new Failure(Failure.Kind.CLOSED, "gone", List.of("127.0.0.1:9344"));
    Operation write = new Operation.Write(new Call(0, 4, 5_000_000, 6_000_000, closed), 8, 80);
    History history =
        new History(
            1,
            List.of(write),
            List.of(),
            List.of(
                new Disturbance("pause proxy 1", 4_000_000, 9_000_000, true, "127.0.0.1:9342")));

    assertThat(Report.lines("seed 7", history, new Checker(0, 100).judge(history), List.of()))
        .contains(
            "     0.0040 s to    0.0090 s  pause proxy 1 at 127.0.0.1:9342",
            "1. ERRORS: a connection that no fault may close",
            "     0.0050 s to    0.0060 s  client 4  Write[key=8, value=80]  CLOSED at"
                + " 127.0.0.1:9344 gone");
  }

  @Test
  void violations_of_one_rule_do_not_hide_those_of_another() {
    List<Violation> all = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      all.add(new Violation(Violation.Rule.ERRORS, "error " + i, List.of()));
    }
    all.add(new Violation(Violation.Rule.SCANS, "twice", List.of()));

    assertThat(Report.lines("seed 7", WRONG, new Verdict(all, List.of()), List.of()))
        .contains("20. ERRORS: error 19", "21. SCANS: twice", "and 80 more")
        .doesNotContain("21. ERRORS: error 20");
  }

  @Test
  void a_violation_is_reported_with_its_operations() {
    assertThat(lines())
        .endsWith(
            "1. VALUES: an acknowledged write is not read: key 7, value 0",
            "     0.0000 s to    0.0010 s  client 4  Write[key=7, value=70]",
            "     0.0020 s to    0.0035 s  client 5  Read[level=QUORUM, key=7, value=0]",
            "  no fault at that time");
  }

  @Test
  void a_violation_names_the_faults_during_its_reads_only() {
    List<Disturbance> faults =
        List.of(
            new Disturbance("pause node 1", 0, 1, false),
            new Disturbance("join and decommission a node", 3, 9, false),
            new Disturbance("kill -9 proxy 1", 1, 2, true),
            new Disturbance("hang node 3", 4, 5, false));
    Operation write = new Operation.Write(new Call(0, 4, 0, 1, null), 7, 70);
    Operation read = new Operation.Read(new Call(1, 5, 2, 3, null), Level.QUORUM, 7, 0);
    History history = new History(2, List.of(write, read), List.of(), faults);
    Violation stale = new Violation(Violation.Rule.VALUES, "stale", List.of(write, read));
    Violation wrong = new Violation(Violation.Rule.ERRORS, "wrong", List.of(write));

    assertThat(
            Report.lines(
                "seed 7", history, new Verdict(List.of(stale, wrong), List.of()), List.of()))
        .contains("  faults at that time: kill -9 proxy 1; join and decommission a node")
        .endsWith("  faults at that time: pause node 1; kill -9 proxy 1");
  }
}
