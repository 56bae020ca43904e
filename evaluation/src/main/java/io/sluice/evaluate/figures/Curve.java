package io.sluice.evaluate.figures;

import java.util.List;

/**
 * A quantity over the time of one step.
 *
 * @param target the measured variant
 * @param group the setting, such as a format and a disk
 * @param load the load during the step
 * @param round from 1 on
 * @param name name of the quantity
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
   * @param seconds time since the beginning of the step
   * @param value the quantity at this time
   */
  public record Point(double seconds, double value) {}

  /** Copies the points. */
  public Curve {
    points = List.copyOf(points);
  }
}
