package io.sluice.evaluate.figures;

/**
 * A number from one step of a study.
 *
 * @param target the measured variant
 * @param group the setting, such as a format and a disk
 * @param load the load during the step
 * @param round from 1 on
 * @param name name of the number
 * @param unit its unit; empty if it has none
 * @param value the number
 */
public record Measure(
    String target, String group, String load, int round, String name, String unit, double value) {}
