package io.sluice.torture;

import io.sluice.torture.check.Call;
import io.sluice.torture.check.Disturbance;
import io.sluice.torture.check.Failure;
import io.sluice.torture.check.History;
import io.sluice.torture.check.Operation;
import io.sluice.torture.check.Scan;
import io.sluice.torture.check.Verdict;
import io.sluice.torture.check.Violation;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * A judged history as text: the number of requests, the faults, and each violation with its
 * operations.
 */
final class Report {
  /** The most violations of one rule in a report. */
  private static final int SHOWN = 20;

  private Report() {}

  /** Returns a run in one line. */
  static String summary(History history, Verdict verdict) {
    long failed = history.operations().stream().filter(each -> !isAcknowledged(each)).count();
    return String.format(
        Locale.ROOT,
        "%s, %,d failed%s; %s, %,d complete; %s; %s",
        count(history.asked(), "request"),
        failed,
        failed == 0 ? "" : " " + kinds(history),
        count(history.scans().size(), "scan"),
        history.scans().stream().filter(Scan::whole).count(),
        count(history.disturbances().size(), "fault"),
        violations(verdict));
  }

  /** Returns the lines of the report. */
  static List<String> lines(String title, History history, Verdict verdict, List<Fault> leftOut) {
    List<String> lines = new ArrayList<>();
    lines.add(title);
    lines.add(summary(history, verdict));
    lines.add("");
    lines.add("Faults, each from its begin until it was mended:");
    history.disturbances().stream()
        .sorted(Comparator.comparingLong(Disturbance::from))
        .forEach(fault -> lines.add("  " + describe(fault)));
    for (Fault fault : leftOut) {
      lines.add("  left out, because earlier faults took too long: " + fault.description());
    }
    if (!verdict.undecided().isEmpty()) {
      lines.add("");
      lines.add("Undecided, because the search was given up: registers " + verdict.undecided());
    }
    List<Violation> shown = shown(verdict, SHOWN);
    for (int i = 0; i < shown.size(); i++) {
      Violation violation = shown.get(i);
      lines.add("");
      lines.add((i + 1) + ". " + violation.rule() + ": " + violation.what());
      violation.evidence().forEach(each -> lines.add("  " + describe(each)));
      lines.add("  " + faultsDuring(violation, history));
    }
    int more = verdict.violations().size() - shown.size();
    if (more > 0) {
      lines.add("");
      lines.add("and " + more + " more");
    }
    return lines;
  }

  /**
   * Names the faults during the reads of a violation; those of all its operations without reads.
   */
  private static String faultsDuring(Violation violation, History history) {
    List<Call> reads =
        violation.evidence().stream().filter(Report::isRead).map(Operation::call).toList();
    List<Call> calls =
        reads.isEmpty() ? violation.evidence().stream().map(Operation::call).toList() : reads;
    long from = calls.stream().mapToLong(Call::begin).min().orElse(0);
    long to = calls.stream().mapToLong(Call::end).max().orElse(0);
    String faults =
        history.disturbances().stream()
            .filter(fault -> fault.from() <= to && fault.to() >= from)
            .sorted(Comparator.comparingLong(Disturbance::from))
            .map(Disturbance::what)
            .collect(Collectors.joining("; "));
    return faults.isEmpty() ? "no fault at that time" : "faults at that time: " + faults;
  }

  private static boolean isRead(Operation operation) {
    return operation instanceof Operation.Read
        || operation instanceof Operation.Page
        || operation instanceof Operation.CounterRead
        || operation instanceof Operation.ListRead;
  }

  /** Returns some violations of each rule, so that those of one do not hide the others. */
  static List<Violation> shown(Verdict verdict, int ofEachRule) {
    Map<Violation.Rule, Integer> seen = new EnumMap<>(Violation.Rule.class);
    return verdict.violations().stream()
        .filter(violation -> seen.merge(violation.rule(), 1, Integer::sum) <= ofEachRule)
        .toList();
  }

  private static String violations(Verdict verdict) {
    String text = count(verdict.violations().size(), "violation");
    if (!verdict.violations().isEmpty()) {
      Map<Violation.Rule, Long> rules =
          verdict.violations().stream()
              .collect(Collectors.groupingBy(Violation::rule, TreeMap::new, Collectors.counting()));
      text += " " + rules;
    }
    int undecided = verdict.undecided().size();
    return undecided == 0 ? text : text + ", " + count(undecided, "register") + " undecided";
  }

  private static String count(long number, String noun) {
    return String.format(Locale.ROOT, "%,d %s%s", number, noun, number == 1 ? "" : "s");
  }

  private static Map<Failure.Kind, Long> kinds(History history) {
    return history.operations().stream()
        .filter(each -> !isAcknowledged(each))
        .collect(
            Collectors.groupingBy(
                each -> Objects.requireNonNull(each.call().failure()).kind(),
                TreeMap::new,
                Collectors.counting()));
  }

  private static boolean isAcknowledged(Operation operation) {
    return operation.call().acknowledged();
  }

  private static String describe(Operation operation) {
    Call call = operation.call();
    Failure failure = call.failure();
    return times(call.begin(), call.end())
        + "  client "
        + call.client()
        + "  "
        + operation.toString().replace("call=" + call + ", ", "")
        + (failure == null ? "" : "  " + describe(failure));
  }

  private static String describe(Disturbance fault) {
    String at = fault.address() == null ? "" : " at " + fault.address();
    return times(fault.from(), fault.to()) + "  " + fault.what() + at;
  }

  private static String describe(Failure failure) {
    String at = failure.closedAt().isEmpty() ? "" : " at " + String.join(", ", failure.closedAt());
    return failure.kind() + at + " " + failure.text();
  }

  private static String times(long from, long to) {
    return String.format(Locale.ROOT, "%9.4f s to %9.4f s", from / 1e9, to / 1e9);
  }
}
