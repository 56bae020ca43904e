package io.sluice.evaluate.figures;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The samples of a run, looked up and summed over its rounds. Immutable. */
public final class Figures {
  private final List<Sample> samples;

  /** Of these samples. */
  public Figures(List<Sample> samples) {
    this.samples = List.copyOf(samples);
  }

  /**
   * One class of requests under one load.
   *
   * @param group what was asked for
   * @param load under which load
   * @param requests the class
   */
  public record Place(String group, String load, String requests) {}

  /** In the order of their first appearance. */
  public List<String> targets() {
    return distinct(Sample::target);
  }

  /** In the order of their first appearance. */
  public List<String> groups() {
    return distinct(Sample::group);
  }

  /** The classes, in the order of their first appearance. */
  public List<String> requests() {
    return distinct(Sample::requests);
  }

  /** The loads of a group, in the order of their first appearance. */
  public List<String> loads(String group) {
    return samples.stream()
        .filter(s -> s.group().equals(group))
        .map(Sample::load)
        .distinct()
        .toList();
  }

  /** All places, in the order of their first appearance. */
  public List<Place> places() {
    return samples.stream()
        .map(s -> new Place(s.group(), s.load(), s.requests()))
        .distinct()
        .toList();
  }

  /** Whether anything was asked of the target there. */
  public boolean has(String target, Place place) {
    return at(target, place).stream().anyMatch(s -> s.count() + s.errors() > 0);
  }

  /** A figure over the rounds that have one. */
  public Interval over(String target, Place place, Figure figure) {
    return Interval.of(values(target, place, figure).values().stream().toList());
  }

  /** A figure of one target over that of another, round by round. */
  public Interval ratio(String target, String baseline, Place place, Figure figure) {
    Map<Integer, Double> over = values(target, place, figure);
    Map<Integer, Double> under = values(baseline, place, figure);
    List<Double> ratios = new ArrayList<>();
    over.forEach(
        (round, value) -> {
          double ratio = value / under.getOrDefault(round, Double.NaN);
          if (ratio > 0 && Double.isFinite(ratio)) {
            ratios.add(ratio);
          }
        });
    return Interval.ofRatios(ratios);
  }

  /** How many requests failed, over all rounds. */
  public long errors(String target, Place place) {
    return at(target, place).stream().mapToLong(Sample::errors).sum();
  }

  /** How many requests were sent, over all rounds. */
  public long sent(String target, Place place) {
    return at(target, place).stream().mapToLong(s -> s.count() + s.errors()).sum();
  }

  /** Each kind of error with its number, over everything asked of a target. */
  public Map<String, Long> errorKinds(String target) {
    Map<String, Long> kinds = new TreeMap<>();
    samples.stream()
        .filter(s -> s.target().equals(target))
        .forEach(s -> s.errorKinds().forEach((kind, times) -> kinds.merge(kind, times, Long::sum)));
    return kinds;
  }

  private Map<Integer, Double> values(String target, Place place, Figure figure) {
    return at(target, place).stream()
        .filter(s -> s.count() > 0)
        .collect(
            Collectors.toMap(Sample::round, figure::of, (first, second) -> second, TreeMap::new));
  }

  private List<Sample> at(String target, Place place) {
    return samples.stream()
        .filter(s -> s.target().equals(target))
        .filter(s -> new Place(s.group(), s.load(), s.requests()).equals(place))
        .toList();
  }

  private List<String> distinct(Function<Sample, String> of) {
    return samples.stream().map(of).distinct().toList();
  }
}
