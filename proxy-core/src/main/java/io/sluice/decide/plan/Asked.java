package io.sluice.decide.plan;

import io.sluice.decide.classify.BoundValues;
import io.sluice.decide.classify.Classified;

/**
 * The facts about a request that the planner needs.
 *
 * @param statement what it is
 * @param values what is bound to its markers
 * @param pageSize rows a page, or −1 when it is not paged
 * @param continues whether it goes on where an earlier page ended
 * @param client a number of the client's, which keeps it with the same node where that matters
 */
public record Asked(
    Classified statement, BoundValues values, int pageSize, boolean continues, long client) {

  /** A request for the first page. */
  public Asked(Classified statement, BoundValues values, int pageSize, long client) {
    this(statement, values, pageSize, false, client);
  }
}
