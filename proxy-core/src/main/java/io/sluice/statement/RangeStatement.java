package io.sluice.statement;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.sluice.decide.classify.Expression;
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

  /**
   * The statement and the values that a paging state is for.
   *
   * @param select its text, taken apart
   */
  public StatementDigest digest(Select select) {
    Expression limit = select.limits().rows();
    String cql = text.cql();
    if (limit != null) {
      cql = cql.substring(0, limit.span().start()) + cql.substring(limit.span().end());
    }
    ByteBuf values = Unpooled.buffer();
    for (Expression marker : select.markers()) {
      if (limit == null || limit.marker() != marker.marker()) {
        parameters.values().write(marker.marker(), marker.name(), values);
      }
    }
    return StatementDigest.of(cql, text.keyspace(), ByteBufUtil.getBytes(values));
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
