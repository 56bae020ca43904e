package io.sluice.evaluate.figures;

import java.util.List;
import java.util.Map;

/** Samples and runs for tests. */
public final class Samples {
  private Samples() {}

  /** Returns a sample of reads under "mix 9:1, 125 clients" with this mean and without errors. */
  public static Sample sample(String target, int round, String requests, double meanMs) {
    return new Sample(
        target,
        "mix 9:1",
        "125 clients",
        round,
        requests,
        100,
        0,
        Map.of(),
        meanMs,
        meanMs / 2,
        meanMs * 3,
        meanMs * 5,
        1000 / meanMs);
  }

  /** Returns the sample for another group and load. */
  public static Sample at(Sample sample, String group, String load) {
    return new Sample(
        sample.target(),
        group,
        load,
        sample.round(),
        sample.requests(),
        sample.count(),
        sample.errors(),
        sample.errorKinds(),
        sample.meanMs(),
        sample.p50Ms(),
        sample.p99Ms(),
        sample.maxMs(),
        sample.perSecond());
  }

  /** Returns the sample with errors. */
  public static Sample failing(Sample sample, Map<String, Long> kinds) {
    long errors = kinds.values().stream().mapToLong(Long::longValue).sum();
    return new Sample(
        sample.target(),
        sample.group(),
        sample.load(),
        sample.round(),
        sample.requests(),
        sample.count(),
        errors,
        kinds,
        sample.meanMs(),
        sample.p50Ms(),
        sample.p99Ms(),
        sample.maxMs(),
        sample.perSecond());
  }

  /** Returns the sample of a round in which all requests failed. */
  public static Sample unanswered(Sample sample, Map<String, Long> kinds) {
    return new Sample(
        sample.target(),
        sample.group(),
        sample.load(),
        sample.round(),
        sample.requests(),
        0,
        kinds.values().stream().mapToLong(Long::longValue).sum(),
        kinds,
        0,
        0,
        0,
        0,
        0);
  }

  /** Returns a run of these samples. */
  public static Run run(String kind, Sample... samples) {
    return new Run(
        kind,
        "2026-01-01 00:00:00 UTC",
        Map.of("settings", Map.of("rows in all", "100")),
        List.of(samples),
        List.of(new ProxyUse("Sluice", "mix 9:1", "125 clients", 1, 0.5, 200.0, null)),
        List.of(),
        List.of(),
        List.of(),
        List.of("A note with <brackets>."));
  }

  /** Returns the run with an incident. */
  public static Run with(Run run, String incident) {
    return new Run(
        run.kind(),
        run.began(),
        run.about(),
        run.samples(),
        run.proxies(),
        run.measures(),
        run.curves(),
        List.of(incident),
        run.notes());
  }
}
