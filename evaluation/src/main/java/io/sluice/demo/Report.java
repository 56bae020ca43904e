package io.sluice.demo;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;

/** The figures of all rounds, as a table of medians with their ratios, or as JSON. */
final class Report {
  private final List<RoundResult> rounds;
  private final List<UsedCores> cores;

  /**
   * Creates a report.
   *
   * @param cores what each target's processes used in each round; empty if unknown
   */
  Report(List<RoundResult> rounds, List<UsedCores> cores) {
    this.rounds = List.copyOf(rounds);
    this.cores = List.copyOf(cores);
  }

  /** Prints the table. Times are in milliseconds. */
  void print(PrintWriter out) {
    row(out, "reads", "target", "mean ms", "p50 ms", "p99 ms", "max ms", "errors", "reads/s");
    for (ReadClass readClass : ReadClass.values()) {
      if (rounds.stream().anyMatch(r -> isOf(r, readClass) && r.count() + r.errors() > 0)) {
        Figures direct = figures(Target.CASSANDRA, readClass);
        Figures through = figures(Target.SLUICE, readClass);
        line(out, readClass.label(), Target.CASSANDRA, direct);
        line(out, "", Target.SLUICE, through);
        ratios(out, direct, through);
      }
    }
    double direct = total(Target.CASSANDRA);
    double through = total(Target.SLUICE);
    out.printf(
        Locale.ROOT,
        "all reads a second: cassandra %.1f, sluice %.1f, ratio %.2f%n",
        direct,
        through,
        through / direct);
    if (!cores.isEmpty()) {
      out.printf(
          "cores used by %s; by %s%n",
          UsedCores.median(Target.CASSANDRA, cores), UsedCores.median(Target.SLUICE, cores));
    }
    errorKinds().forEach((what, times) -> out.printf("errors: %d x %s%n", times, what));
    out.flush();
  }

  /**
   * Returns means and throughput in one line, direct and through Sluice with their ratio. If only
   * one target has figures, the line has these.
   */
  String line() {
    StringBuilder line = new StringBuilder();
    for (ReadClass readClass : ReadClass.values()) {
      Figures direct = figures(Target.CASSANDRA, readClass);
      Figures through = figures(Target.SLUICE, readClass);
      if (direct.throughput > 0 || through.throughput > 0) {
        line.append(readClass.label())
            .append(" reads ")
            .append(both(direct.mean, through.mean, " ms", 1))
            .append(", ");
      }
    }
    return line.append(both(total(Target.CASSANDRA), total(Target.SLUICE), " reads a second", 0))
        .toString();
  }

  private static String both(double direct, double through, String unit, int digits) {
    if (Double.isNaN(through)) {
      return fixed(direct, digits) + unit;
    } else if (Double.isNaN(direct)) {
      return fixed(through, digits) + unit;
    }
    return "%s -> %s%s (%s)"
        .formatted(fixed(direct, digits), fixed(through, digits), unit, fixed(through / direct, 2));
  }

  /** Writes the figures of every round. */
  void writeJson(Path file) throws IOException {
    new ObjectMapper()
        .writerWithDefaultPrettyPrinter()
        .writeValue(file.toFile(), Map.of("rounds", rounds, "cores", cores));
  }

  /** Returns the median; for an even number of values, the mean of the two in the middle. */
  static double median(List<Double> values) {
    if (values.isEmpty()) {
      return Double.NaN;
    }
    List<Double> sorted = values.stream().sorted().toList();
    int middle = sorted.size() / 2;
    return sorted.size() % 2 == 1
        ? sorted.get(middle)
        : (sorted.get(middle - 1) + sorted.get(middle)) / 2;
  }

  private static void line(PrintWriter out, String readClass, String target, Figures f) {
    row(
        out,
        readClass,
        target,
        fixed(f.mean, 1),
        fixed(f.p50, 1),
        fixed(f.p99, 1),
        fixed(f.max, 1),
        Long.toString(f.errors),
        fixed(f.throughput, 1));
  }

  private static void ratios(PrintWriter out, Figures direct, Figures through) {
    row(
        out,
        "",
        "ratio",
        fixed(through.mean / direct.mean, 3),
        fixed(through.p50 / direct.p50, 3),
        fixed(through.p99 / direct.p99, 3),
        fixed(through.max / direct.max, 3),
        "",
        fixed(through.throughput / direct.throughput, 3));
  }

  private static String fixed(double value, int digits) {
    return String.format(Locale.ROOT, "%." + digits + "f", value);
  }

  private static void row(PrintWriter out, Object... cells) {
    out.printf(Locale.ROOT, "%-6s %-10s %10s %10s %10s %10s %7s %9s%n", cells);
  }

  private Map<String, Long> errorKinds() {
    Map<String, Long> kinds = new TreeMap<>();
    for (RoundResult round : rounds) {
      String where = " (" + round.target() + ", " + round.readClass() + ")";
      round.errorKinds().forEach((kind, times) -> kinds.merge(kind + where, times, Long::sum));
    }
    return kinds;
  }

  private double total(String target) {
    return Arrays.stream(ReadClass.values())
        .mapToDouble(readClass -> figures(target, readClass).throughput)
        .filter(throughput -> !Double.isNaN(throughput))
        .reduce(Double::sum)
        .orElse(Double.NaN);
  }

  private Figures figures(String target, ReadClass readClass) {
    List<RoundResult> of =
        rounds.stream().filter(r -> r.target().equals(target) && isOf(r, readClass)).toList();
    List<RoundResult> answered = of.stream().filter(r -> r.count() > 0).toList();
    return new Figures(
        median(answered, RoundResult::meanMs),
        median(answered, RoundResult::p50Ms),
        median(answered, RoundResult::p99Ms),
        median(answered, RoundResult::maxMs),
        of.stream().mapToLong(RoundResult::errors).sum(),
        median(of, RoundResult::throughput));
  }

  private static double median(List<RoundResult> of, ToDoubleFunction<RoundResult> figure) {
    return median(of.stream().map(figure::applyAsDouble).toList());
  }

  private static boolean isOf(RoundResult round, ReadClass readClass) {
    return round.readClass().equals(readClass.label());
  }

  /**
   * Medians over the rounds, and the sum of the errors. A round without a response has a
   * throughput, but no times.
   */
  private record Figures(
      double mean, double p50, double p99, double max, long errors, double throughput) {}
}
