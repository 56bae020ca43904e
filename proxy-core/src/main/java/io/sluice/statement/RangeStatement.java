package io.sluice.statement;

import io.sluice.decide.classify.Select;
import io.sluice.decide.plan.Splittable;
import io.sluice.execute.dispatch.PreparedText;
import io.sluice.execute.merge.StatementDigest;
import io.sluice.wire.Parameters;

/**
 * A range read as far as splitting it goes.
 *
 * @param split whether its statement can be split, and how
 * @param text its text, and the keyspace that unqualified names mean
 * @param parameters what came with it; its values are valid as long as the request's frame
 */
public record RangeStatement(Splittable split, PreparedText text, Parameters parameters) {

  private static final int SERIAL = 8;
  private static final int LOCAL_SERIAL = 9;

  /** Which statement with which values a paging state is for. */
  public StatementDigest digest() {
    return StatementDigest.of(text.cql(), text.keyspace(), parameters.values().bytes());
  }

  /** Whether values are given for the names of all its markers. */
  public boolean namesAllMarkers(Select select) {
    return select.markers().stream()
        .allMatch(each -> each.name() != null && parameters.values().has(each.name()));
  }

  /** Whether it reads through Paxos, of which there is one a partition. */
  public boolean serial() {
    return parameters.consistency() == SERIAL || parameters.consistency() == LOCAL_SERIAL;
  }
}
