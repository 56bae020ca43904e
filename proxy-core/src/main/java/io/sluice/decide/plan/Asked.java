package io.sluice.decide.plan;

import io.sluice.decide.classify.BoundValues;
import io.sluice.decide.classify.Classified;

/**
 * The facts about a request that the planner needs.
 *
 * @param statement the classified statement
 * @param values the values bound to its markers
 * @param pageSize rows per page, or −1 without paging
 * @param continues whether it continues where an earlier page ended
 * @param client a number that identifies the client, to keep it at the same node where that matters
 */
public record Asked(
    Classified statement, BoundValues values, int pageSize, boolean continues, long client) {

  /** Creates a request for the first page. */
  public Asked(Classified statement, BoundValues values, int pageSize, long client) {
    this(statement, values, pageSize, false, client);
  }
}
