package io.sluice.evaluate.figures;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Finds the samples of a run, and averages them over its rounds. Immutable. */
public final class Figures {
  private final List<Sample> samples;

  /** Creates figures of these samples. */
  public Figures(List<Sample> samples) {
    this.samples = List.copyOf(samples);
  }

  /**
   * One class of requests under one load.
   *
   * @param group kind of the requests, such as a mix
   * @param load the load
   * @param requests the class
   */
  public record Place(String group, String load, String requests) {}

  /** Returns the targets, in the order of their first appearance. */
  public List<String> targets() {
    return distinct(Sample::target);
  }

  /** Returns the groups, in the order of their first appearance. */
  public List<String> groups() {
    return distinct(Sample::group);
  }

  /** Returns the classes, in the order of their first appearance. */
  public List<String> requests() {
    return distinct(Sample::requests);
  }

  /** Returns the loads of a group, in the order of their first appearance. */
  public List<String> loads(String group) {
    return samples.stream()
        .filter(s -> s.group().equals(group))
        .map(Sample::load)
        .distinct()
        .toList();
  }

  /** Returns all places, in the order of their first appearance. */
  public List<Place> places() {
    return samples.stream()
        .map(s -> new Place(s.group(), s.load(), s.requests()))
        .distinct()
        .toList();
  }

  /** Whether the target got requests of this class under this load. */
  public boolean has(String target, Place place) {
    return at(target, place).stream().anyMatch(s -> s.count() + s.errors() > 0);
  }

  /**
   * Returns the mean of a figure over the rounds that have one. A round in which all requests
   * failed has zero answers a second, and no times.
   */
  public Interval over(String target, Place place, Figure figure) {
    return Interval.of(values(target, place, figure).values().stream().toList());
  }

  /**
   * Returns the mean ratio of a target's figure to that of {@code baseline}, from the ratios of
   * each round.
   */
  public Interval ratio(String target, String baseline, Place place, Figure figure) {
    return Interval.ofRatios(values(target, place, figure), values(baseline, place, figure));
  }

  /** Returns the number of rounds of the run. */
  public int rounds() {
    return (int) samples.stream().mapToInt(Sample::round).distinct().count();
  }

  /** Returns the number of failed requests in all rounds. */
  public long errors(String target, Place place) {
    return at(target, place).stream().mapToLong(Sample::errors).sum();
  }

  /** Returns the number of requests in all rounds. */
  public long sent(String target, Place place) {
    return at(target, place).stream().mapToLong(s -> s.count() + s.errors()).sum();
  }

  /** Returns the number of errors of a target by kind, over all loads and rounds. */
  public Map<String, Long> errorKinds(String target) {
    Map<String, Long> kinds = new TreeMap<>();
    samples.stream()
        .filter(s -> s.target().equals(target))
        .forEach(s -> s.errorKinds().forEach((kind, times) -> kinds.merge(kind, times, Long::sum)));
    return kinds;
  }

  private Map<Integer, Double> values(String target, Place place, Figure figure) {
    return at(target, place).stream()
        .filter(s -> s.count() > 0 || figure == Figure.PER_SECOND)
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
