package io.sluice.evaluate.figures;

import java.util.List;

/**
 * A quantity over the time of one step.
 *
 * @param target the variant that was measured
 * @param group on what
 * @param load under which load
 * @param round from 1 on
 * @param name of the quantity
 * @param unit its unit
 * @param points in the order of time
 */
public record Curve(
    String target,
    String group,
    String load,
    int round,
    String name,
    String unit,
    List<Point> points) {
  /**
   * One point of a curve.
   *
   * @param seconds since the beginning of the step
   * @param value the quantity then
   */
  public record Point(double seconds, double value) {}

  /** Takes a copy of the points. */
  public Curve {
    points = List.copyOf(points);
  }
}
