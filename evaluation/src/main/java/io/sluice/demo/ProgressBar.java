package io.sluice.demo;

import java.io.PrintWriter;

/**
 * Shows the progress of a long task: as a bar on a terminal, otherwise as a line for each tenth.
 */
final class ProgressBar {
  private static final int WIDTH = 40;

  private final PrintWriter out;
  private final boolean terminal;
  private final String what;
  private final long total;
  private long shown = -1;

  ProgressBar(PrintWriter out, boolean terminal, String what, long total) {
    this.out = out;
    this.terminal = terminal;
    this.what = what;
    this.total = total;
  }

  /** Shows that {@code done} of the total are done, if the display changes by that. */
  synchronized void show(long done) {
    long steps = terminal ? 100 : 10;
    long step = done * steps / total;
    if (step <= shown) {
      return;
    }
    shown = step;
    long percent = done * 100 / total;
    if (terminal) {
      int filled = (int) (done * WIDTH / total);
      out.printf(
          "\r%s [%s%s] %3d %%", what, "#".repeat(filled), "-".repeat(WIDTH - filled), percent);
      if (done >= total) {
        out.println();
      }
    } else {
      out.printf("%s %d %%%n", what, percent);
    }
    out.flush();
  }
}
