package io.sluice.simulator.report;

import java.io.PrintWriter;

/** Shows the progress of long work in one line; on a plain stream, in a line for each tenth. */
public final class Progress {
  private final PrintWriter out;
  private final boolean terminal;
  private long shown = -1;

  /** Creates a line on {@code out}; {@code terminal} allows to overwrite it. */
  public Progress(PrintWriter out, boolean terminal) {
    this.out = out;
    this.terminal = terminal;
  }

  /**
   * Shows which share of {@code what} is done, if the text differs from the last one.
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
