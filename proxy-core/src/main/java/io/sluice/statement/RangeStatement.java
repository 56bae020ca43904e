package io.sluice.statement;

import io.sluice.decide.classify.Classified;
import io.sluice.decide.classify.Expression;
import io.sluice.decide.classify.Select;
import io.sluice.decide.plan.Splittable;
import io.sluice.execute.dispatch.PreparedTexts.PreparedText;
import io.sluice.execute.merge.StatementDigest;
import io.sluice.execute.reply.Consistency;
import io.sluice.wire.CqlRequest.Parameters;
import io.sluice.wire.ReadTemplate.Bound;
import io.sluice.wire.StatementMetadata;
import io.sluice.wire.Values;
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

  /** Limit on the bytes by which repeated values make a piece larger than the request. */
  private static final int MAX_REPEATED_BYTES = 65_536;

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
   * @param select the parsed text, for which no large value is {@link #repeatsLargeValues repeated}
   */
  public StatementDigest digest(Select select) {
    Expression limit = select.limits().rows();
    int from = select.limits().insertAt();
    int to = limit == null ? from : limit.span().end();
    String cql =
        text.cql().substring(0, from).stripTrailing()
            + ' '
            + text.cql().substring(to).stripLeading();
    String keyspace = select.from().keyspace() == null ? text.keyspace() : null;
    return StatementDigest.of(cql, keyspace, parameters.values().bytes(bound(select, limit)));
  }

  private static List<Bound> bound(Select select, @Nullable Expression except) {
    List<Bound> bound = new ArrayList<>(select.markers().size());
    for (Expression marker : select.markers()) {
      if (except == null || except.marker() != marker.marker()) {
        bound.add(new Bound(marker.marker(), marker.name(), null));
      }
    }
    return bound;
  }

  /**
   * Whether the values do not match the markers. Such a read goes to a node, which reports the
   * error.
   */
  public boolean valuesInDoubt(Classified statement) {
    Values values = parameters.values();
    Select select = statement.select();
    return values.named()
        ? select == null
            || !select.markers().stream()
                .allMatch(each -> each.name() != null && values.has(each.name()))
        : statement.markers() != values.count();
  }

  /**
   * Whether several markers with the name of a large value would make each piece, and the input of
   * the digest, much larger than the request. A node binds such a value once for all its markers.
   */
  public boolean repeatsLargeValues(Select select) {
    Values values = parameters.values();
    return values.named() && values.repeatedBytes(bound(select, null)) > MAX_REPEATED_BYTES;
  }

  /**
   * Whether it reads through Paxos, which works on one partition at a time: Cassandra refuses it,
   * in its own words, if it is sent whole. The serial consistency level has no effect on a read.
   */
  public boolean serial() {
    return Consistency.isSerial(parameters.consistency());
  }
}
