package io.sluice.evaluate.figures;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Finds all numbers of a study, and averages them over its rounds. They are its measures and the
 * figures of its samples. Immutable.
 */
public final class Measures {
  private final List<Measure> measures;

  /** Takes the numbers of a run. */
  public Measures(Run run) {
    List<Measure> all = new ArrayList<>(run.measures());
    for (Sample sample : run.samples()) {
      for (Figure figure : Figure.values()) {
        if (sample.count() > 0 || figure == Figure.PER_SECOND) {
          all.add(of(sample, figure));
        }
      }
    }
    this.measures = List.copyOf(all);
  }

  /**
   * One number under one load.
   *
   * @param group the setting, such as a format and a disk
   * @param load the load
   * @param name name of the number
   * @param unit its unit
   */
  public record Place(String group, String load, String name, String unit) {}

  private static Measure of(Sample sample, Figure figure) {
    return new Measure(
        sample.target(),
        sample.group(),
        sample.load(),
        sample.round(),
        name(sample.requests(), figure),
        figure == Figure.PER_SECOND ? "/s" : "ms",
        figure.of(sample));
  }

  /** Returns the name of a figure of a class of requests, such as "single, mean". */
  public static String name(String requests, Figure figure) {
    return requests + ", " + figure.label().replace(" ms", "").replace("/s", "");
  }

  /** Returns the variants, in the order of their first appearance. */
  public List<String> targets() {
    return measures.stream().map(Measure::target).distinct().toList();
  }

  /** Returns all places, in the order of their first appearance. */
  public List<Place> places() {
    return measures.stream()
        .map(m -> new Place(m.group(), m.load(), m.name(), m.unit()))
        .distinct()
        .toList();
  }

  /** Whether there is a number. */
  public boolean has(String target, Place place) {
    return !rounds(target, place).isEmpty();
  }

  /** Returns the mean of a number over the rounds. */
  public Interval over(String target, Place place) {
    return Interval.of(rounds(target, place).values().stream().toList());
  }

  /**
   * Returns the mean ratio of a target's number to that of {@code baseline}, from the ratios of
   * each round.
   */
  public Interval ratio(String target, String baseline, Place place) {
    return Interval.ofRatios(rounds(target, place), rounds(baseline, place));
  }

  /** Returns the number of rounds of the run. */
  public int rounds() {
    return (int) measures.stream().mapToInt(Measure::round).distinct().count();
  }

  private Map<Integer, Double> rounds(String target, Place place) {
    Map<Integer, Double> rounds = new TreeMap<>();
    for (Measure each : measures) {
      if (each.target().equals(target)
          && each.group().equals(place.group())
          && each.load().equals(place.load())
          && each.name().equals(place.name())) {
        rounds.put(each.round(), each.value());
      }
    }
    return rounds;
  }
}
