package io.sluice.evaluate.study;

import io.sluice.evaluate.drive.Observed;
import io.sluice.evaluate.figures.Curve;
import java.util.List;

/**
 * The findings of one step of a study.
 *
 * @param observed what clients saw, each with classes of its own
 * @param seconds counted seconds of their load
 * @param numbers numbers of the node and the kernel
 * @param courses quantities over the time of the step
 */
public record Outcome(
    List<Observed> observed, double seconds, List<Reading> numbers, List<Course> courses) {
  /** Takes copies of the lists. */
  public Outcome {
    observed = List.copyOf(observed);
    numbers = List.copyOf(numbers);
    courses = List.copyOf(courses);
  }

  /**
   * One number.
   *
   * @param name how the report calls it
   * @param unit its unit; empty where it has none
   * @param value the number
   */
  public record Reading(String name, String unit, double value) {}

  /**
   * A quantity over time.
   *
   * @param name how the report calls it
   * @param unit its unit
   * @param points in the order of time
   */
  public record Course(String name, String unit, List<Curve.Point> points) {}
}
