package io.sluice.host;

import io.sluice.host.plan.Advice;
import io.sluice.host.plan.Advice.Verdict;
import io.sluice.host.plan.Plan;
import java.io.PrintWriter;

/** Prints a plan for people. */
final class PlanText {
  private PlanText() {}

  static void print(Plan plan, PrintWriter out) {
    out.println("Linux " + plan.kernel());
    for (Advice line : plan.lines()) {
      out.println();
      out.println(line.path() + ": " + values(line));
      out.println("    " + line.why() + " [" + line.source() + "]");
    }
    out.println();
    out.println(
        plan.count(Verdict.CHANGE)
            + " to change, "
            + plan.count(Verdict.KEEP)
            + " already good, "
            + plan.count(Verdict.BY_HAND)
            + " to change by hand, "
            + plan.count(Verdict.LEAVE)
            + " left alone");
  }

  private static String values(Advice line) {
    return switch (line.verdict()) {
      case CHANGE -> line.current() + " -> " + line.proposed();
      case KEEP -> line.current() + ", good";
      case BY_HAND -> line.current() + ", should be " + line.proposed() + ", by hand";
      case LEAVE -> line.current() + ", left alone";
    };
  }
}
