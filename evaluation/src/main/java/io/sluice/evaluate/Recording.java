package io.sluice.evaluate;

import io.sluice.evaluate.drive.Observed;
import io.sluice.evaluate.drive.RequestClass;
import io.sluice.evaluate.drive.Seen;
import io.sluice.evaluate.figures.Curve;
import io.sluice.evaluate.figures.Measure;
import io.sluice.evaluate.figures.ProxyUse;
import io.sluice.evaluate.figures.Run;
import io.sluice.evaluate.figures.Sample;
import io.sluice.evaluate.study.Outcome;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;

/** The measurements so far. After {@link #close}, it ignores further ones. Safe for any thread. */
final class Recording {
  private static final double MICROS_PER_MILLI = 1000;

  private final String kind;
  private final String began;
  private final Map<String, Map<String, String>> about = new LinkedHashMap<>();
  private final List<Sample> samples = new ArrayList<>();
  private final List<ProxyUse> proxies = new ArrayList<>();
  private final List<Measure> measures = new ArrayList<>();
  private final List<Curve> curves = new ArrayList<>();
  private final List<String> incidents = new ArrayList<>();
  private final List<String> notes = new ArrayList<>();
  private boolean closed;

  Recording(String kind, String began) {
    this.kind = kind;
    this.began = began;
  }

  synchronized void about(String section, Map<String, String> values) {
    about.put(section, values);
  }

  synchronized void note(String note) {
    if (!closed) {
      notes.add(note);
    }
  }

  /** Records an event that casts doubt on figures. */
  synchronized void incident(String incident) {
    if (!closed) {
      incidents.add(incident);
    }
  }

  /** Adds the result of one load at one target. Returns false if the recording is closed. */
  boolean add(String target, Scene scene, int round, Observed observed) {
    return add(
        target,
        scene.group(),
        scene.load(),
        round,
        new Outcome(List.of(observed), scene.time().seconds(), List.of(), List.of()));
  }

  /** Adds the result of one step of a study. Returns false if the recording is closed. */
  synchronized boolean add(String target, String group, String load, int round, Outcome outcome) {
    if (closed) {
      return false;
    }
    for (Observed observed : outcome.observed()) {
      for (RequestClass of : RequestClass.values()) {
        Seen seen = observed.of(of);
        if (seen.micros().getTotalCount() > 0 || !seen.failures().isEmpty()) {
          samples.add(sample(target, group, load, round, of, seen, outcome.seconds()));
        }
      }
    }
    for (Outcome.Reading each : outcome.numbers()) {
      measures.add(new Measure(target, group, load, round, each.name(), each.unit(), each.value()));
    }
    for (Outcome.Course each : outcome.courses()) {
      curves.add(new Curve(target, group, load, round, each.name(), each.unit(), each.points()));
    }
    return true;
  }

  synchronized void add(ProxyUse use) {
    if (!closed) {
      proxies.add(use);
    }
  }

  synchronized void close() {
    closed = true;
  }

  synchronized Run run() {
    return new Run(
        kind,
        began,
        new LinkedHashMap<>(about),
        samples,
        proxies,
        measures,
        curves,
        incidents,
        notes);
  }

  private static Sample sample(
      String target,
      String group,
      String load,
      int round,
      RequestClass of,
      Seen seen,
      double seconds) {
    Histogram micros = seen.micros();
    return new Sample(
        target,
        group,
        load,
        round,
        of.label(),
        micros.getTotalCount(),
        seen.failures().values().stream().mapToLong(Long::longValue).sum(),
        seen.failures(),
        micros.getMean() / MICROS_PER_MILLI,
        micros.getValueAtPercentile(50) / MICROS_PER_MILLI,
        micros.getValueAtPercentile(99) / MICROS_PER_MILLI,
        micros.getMaxValue() / MICROS_PER_MILLI,
        seen.inTime() / seconds);
  }
}
