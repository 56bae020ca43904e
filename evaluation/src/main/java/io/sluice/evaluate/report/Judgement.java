package io.sluice.evaluate.report;

import io.sluice.evaluate.figures.Figure;
import io.sluice.evaluate.figures.Interval;

/**
 * The judgement on a ratio to direct: worse or better only if its whole interval is. No answers in
 * a round are worse, too.
 */
enum Judgement {
  /** More than 5 % worse, or no answers in a round. */
  WORSE("!"),
  /** Better. */
  BETTER("+"),
  /** Neither for sure. */
  UNDECIDED("~");

  /** The factor up to which a loss does not count. */
  static final double TOLERANCE = 1.05;

  private final String mark;

  Judgement(String mark) {
    this.mark = mark;
  }

  /** Returns the mark of a cell of {@link Html#table}. */
  String mark() {
    return mark;
  }

  static Judgement of(Interval ratio, Figure figure) {
    boolean more = figure == Figure.PER_SECOND;
    if (more ? ratio.hasZero() || ratio.isBelow(1 / TOLERANCE) : ratio.isAbove(TOLERANCE)) {
      return WORSE;
    }
    return (more ? ratio.isAbove(1) : ratio.isBelow(1)) ? BETTER : UNDECIDED;
  }
}
