package io.sluice.decide.plan;

import io.sluice.decide.classify.Expression;
import io.sluice.decide.classify.Restriction;
import io.sluice.decide.classify.Select;
import io.sluice.decide.classify.Span;
import io.sluice.decide.plan.SubStatement.Source;
import io.sluice.decide.plan.SubStatement.Value;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/**
 * One statement being spliced. Cuts are made between tokens only, so comments stay whole.
 *
 * @param cql the text
 * @param select where its parts are in {@code cql}
 * @param tokens those of its restrictions that are taken out
 * @param token what stands in their place, {@code token(…)} of the table's key
 * @param more what is selected besides, as CQL
 * @param limited whether LIMIT becomes a marker of ours
 */
record Splice(
    String cql,
    Select select,
    Collection<Restriction> tokens,
    String token,
    String more,
    boolean limited) {

  SubStatement text(boolean after, boolean upTo) {
    StringBuilder text = new StringBuilder(cql.length() + 64);
    List<Value> values = new ArrayList<>();
    Span where = select.where().span();
    copy(select.span().start(), select.projection().span().end(), text, values);
    text.append(more);
    copy(select.projection().span().end(), where.start(), text, values);
    where(after, upTo, text, values);
    Expression limit = limited ? select.limits().rows() : null;
    if (limit == null) {
      copy(where.end(), select.span().end(), text, values);
    } else {
      copy(where.end(), limit.span().start(), text, values);
      marker(Source.LIMIT, text, values);
      copy(limit.span().end(), select.span().end(), text, values);
    }
    return new SubStatement(text.toString(), values);
  }

  private void where(boolean after, boolean upTo, StringBuilder text, List<Value> values) {
    String next = " WHERE ";
    for (Restriction restriction : select.where().restrictions()) {
      if (!tokens.contains(restriction)) {
        text.append(next);
        copy(restriction.span().start(), restriction.span().end(), text, values);
        next = " AND ";
      }
    }
    if (after) {
      text.append(next).append(token).append(" >");
      marker(Source.AFTER, text, values);
      next = "AND ";
    }
    if (upTo) {
      text.append(next).append(token).append(" <=");
      marker(Source.UP_TO, text, values);
    }
    text.append(after || upTo ? "" : " ");
  }

  private static void marker(Source source, StringBuilder text, List<Value> values) {
    text.append(" ? ");
    values.add(new Value(source, -1, null));
  }

  /** Copies a stretch of the client's text, in which a named marker loses its name. */
  private void copy(int first, int behind, StringBuilder text, List<Value> values) {
    int from = first;
    for (Expression marker : select.markers()) {
      Span span = marker.span();
      if (span.start() >= from && span.end() <= behind) {
        text.append(cql, from, span.start()).append(marker.name() == null ? "?" : " ? ");
        values.add(new Value(Source.CLIENT, marker.marker(), marker.name()));
        from = span.end();
      }
    }
    text.append(cql, from, behind);
  }
}
