package io.sluice.evaluate.report;

import io.sluice.evaluate.figures.Figure;
import io.sluice.evaluate.figures.Interval;

/** The judgement on a ratio to direct: worse or better only where its whole interval is. */
enum Judgement {
  /** More than a twentieth worse. */
  WORSE("!"),
  /** Better. */
  BETTER("+"),
  /** Neither for sure. */
  UNDECIDED("~");

  /** A loss below this is none that counts. */
  static final double TOLERANCE = 1.05;

  private final String mark;

  Judgement(String mark) {
    this.mark = mark;
  }

  /** The mark of a cell of {@link Html#table}. */
  String mark() {
    return mark;
  }

  static Judgement of(Interval ratio, Figure figure) {
    boolean more = figure == Figure.PER_SECOND;
    if (more ? ratio.isBelow(1 / TOLERANCE) : ratio.isAbove(TOLERANCE)) {
      return WORSE;
    }
    return (more ? ratio.isAbove(1) : ratio.isBelow(1)) ? BETTER : UNDECIDED;
  }
}
