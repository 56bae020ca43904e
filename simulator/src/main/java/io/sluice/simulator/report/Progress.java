package io.sluice.simulator.report;

import java.io.PrintWriter;

/** One line that says how far long work has got; on a plain stream, a line for each tenth. */
public final class Progress {
  private final PrintWriter out;
  private final boolean terminal;
  private long shown = -1;

  /** Shows on {@code out}; {@code terminal} allows to write over the line. */
  public Progress(PrintWriter out, boolean terminal) {
    this.out = out;
    this.terminal = terminal;
  }

  /**
   * Shows that a share of {@code what} is done, if that looks different from before.
   *
   * @param share 0 to 1
   */
  public void show(String what, double share) {
    long steps = terminal ? 100 : 10;
    long step = (long) (share * steps + 1e-9);
    if (step == shown) {
      return;
    }
    shown = step;
    long percent = step * 100 / steps;
    if (terminal) {
      out.printf("\r%-60s %3d %%", what, percent);
    } else {
      out.printf("%s %d %%%n", what, percent);
    }
    out.flush();
  }

  /** Ends the line. */
  public void done() {
    if (terminal && shown >= 0) {
      out.printf("\r%66s\r", "");
      out.flush();
    }
  }
}
