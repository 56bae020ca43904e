package io.sluice.statement;

import io.sluice.decide.classify.Expression;
import io.sluice.decide.classify.Select;
import io.sluice.decide.plan.Splittable;
import io.sluice.execute.dispatch.PreparedText;
import io.sluice.execute.merge.StatementDigest;
import io.sluice.wire.Parameters;
import io.sluice.wire.ReadTemplate.Bound;
import io.sluice.wire.StatementMetadata;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A range read as far as splitting it goes.
 *
 * @param split whether its statement can be split, and how
 * @param text its text, and the keyspace that unqualified names mean
 * @param parameters what came with it; its values are valid as long as the request's frame
 * @param columns which columns the client takes the rows to have
 */
public record RangeStatement(
    Splittable split, PreparedText text, Parameters parameters, ClientColumns columns) {

  private static final int SERIAL = 8;
  private static final int LOCAL_SERIAL = 9;

  /** Whether the client takes the rows to have the columns that clients were told last. */
  public boolean columnsAreCurrent() {
    return columns.current();
  }

  /** The columns that clients were told last; null when they were told none. */
  public @Nullable StatementMetadata latestColumns() {
    return columns.latest();
  }

  /**
   * The statement and the values that a paging state is for, whatever its LIMIT: how many rows are
   * left is said by the state.
   *
   * @param select its text, taken apart
   */
  public StatementDigest digest(Select select) {
    Expression limit = select.limits().rows();
    int from = select.limits().insertAt();
    int to = limit == null ? from : limit.span().end();
    String cql =
        text.cql().substring(0, from).stripTrailing()
            + ' '
            + text.cql().substring(to).stripLeading();
    List<Bound> values = new ArrayList<>(select.markers().size());
    for (Expression marker : select.markers()) {
      if (limit == null || limit.marker() != marker.marker()) {
        values.add(new Bound(marker.marker(), marker.name(), null));
      }
    }
    return StatementDigest.of(cql, text.keyspace(), parameters.values().bytes(values));
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
