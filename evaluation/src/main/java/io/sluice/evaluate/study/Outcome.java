package io.sluice.evaluate.study;

import io.sluice.evaluate.drive.Observed;
import io.sluice.evaluate.figures.Curve;
import java.util.List;

/**
 * The results of one step of a study.
 *
 * @param observed observations of clients; no class of requests is in two of them
 * @param seconds counted seconds of the load
 * @param numbers numbers of the node and the kernel
 * @param courses quantities over the time of the step
 */
public record Outcome(
    List<Observed> observed, double seconds, List<Reading> numbers, List<Course> courses) {
  /** Copies the lists. */
  public Outcome {
    observed = List.copyOf(observed);
    numbers = List.copyOf(numbers);
    courses = List.copyOf(courses);
  }

  /**
   * One number.
   *
   * @param name name in the report
   * @param unit its unit; empty if it has none
   * @param value the number
   */
  public record Reading(String name, String unit, double value) {}

  /**
   * A quantity over time.
   *
   * @param name name in the report
   * @param unit its unit
   * @param points in the order of time
   */
  public record Course(String name, String unit, List<Curve.Point> points) {}
}
