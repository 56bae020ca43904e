package io.sluice.evaluate.figures;

/**
 * One number that a step of a study found.
 *
 * @param target the variant that was measured
 * @param group on what, such as a format and a disk
 * @param load under which load
 * @param round from 1 on
 * @param name of the number
 * @param unit its unit; empty where it has none
 * @param value the number
 */
public record Measure(
    String target, String group, String load, int round, String name, String unit, double value) {}
