package io.sluice.statement;

import io.sluice.decide.classify.Expression;
import io.sluice.decide.classify.Select;
import io.sluice.decide.plan.Splittable;
import io.sluice.execute.dispatch.PreparedTexts.PreparedText;
import io.sluice.execute.merge.StatementDigest;
import io.sluice.execute.reply.Consistency;
import io.sluice.wire.CqlRequest.Parameters;
import io.sluice.wire.ReadTemplate.Bound;
import io.sluice.wire.StatementMetadata;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The parts of a range read that splitting needs.
 *
 * @param split whether its statement can be split, and how
 * @param text its text, and the keyspace of unqualified names; without one if there are none
 * @param parameters the parameters of the request; the values are valid as long as the request's
 *     frame
 * @param columns the columns that the client assumes
 */
public record RangeStatement(
    Splittable split, PreparedText text, Parameters parameters, ClientColumns columns) {

  /** Whether the client assumes the columns that clients were sent last. */
  public boolean columnsAreCurrent() {
    return columns.current();
  }

  /** Returns the columns that clients were sent last; null when none were sent. */
  public @Nullable StatementMetadata latestColumns() {
    return columns.latest();
  }

  /**
   * Returns the digest of statement and values for paging states. LIMIT is left out, because the
   * paging state holds the remaining rows. The keyspace is left out where the text names its own,
   * because a read may continue in another session.
   *
   * @param select the parsed text
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
    String keyspace = select.from().keyspace() == null ? text.keyspace() : null;
    return StatementDigest.of(cql, keyspace, parameters.values().bytes(values));
  }

  /** Whether the request has a value for the name of each marker. */
  public boolean namesAllMarkers(Select select) {
    return select.markers().stream()
        .allMatch(each -> each.name() != null && parameters.values().has(each.name()));
  }

  /**
   * Whether it reads through Paxos, which works on one partition at a time: Cassandra refuses it,
   * in its own words, if it is sent whole. The serial consistency level has no effect on a read.
   */
  public boolean serial() {
    return Consistency.isSerial(parameters.consistency());
  }
}
