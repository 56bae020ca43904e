package io.sluice.decide.plan;

/** The step that a line of EXPLAIN, of EXPLAIN ANALYZE or of a trace is about. */
public sealed interface PlanStep {

  /** Returns the text that users see. */
  String text();

  /**
   * A piece of a range read.
   *
   * @param number its number, from 1
   */
  record Piece(int number) implements PlanStep {

    @Override
    public String text() {
      return "piece " + number;
    }
  }

  /** Any other step. */
  record Named(String text) implements PlanStep {}
}
