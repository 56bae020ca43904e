package io.sluice.decide.plan;

import io.sluice.ring.NodeId;
import java.util.List;

/**
 * One line of a plan for people.
 *
 * @param step what is done
 * @param nodes where, the preferred first; empty where that makes no difference
 * @param range the tokens it is about; empty for none in particular
 * @param rows how many rows are expected, {@code unknown} without an estimate; empty where none are
 * @param note what else there is to say
 */
public record PlanLine(String step, List<NodeId> nodes, String range, String rows, String note) {

  public PlanLine {
    nodes = List.copyOf(nodes);
  }

  static PlanLine note(String step, String note) {
    return new PlanLine(step, List.of(), "", "", note);
  }
}
