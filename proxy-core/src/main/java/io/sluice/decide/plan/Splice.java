package io.sluice.decide.plan;

import io.sluice.decide.classify.Expression;
import io.sluice.decide.classify.Restriction;
import io.sluice.decide.classify.Select;
import io.sluice.decide.classify.Span;
import io.sluice.decide.plan.SubStatement.Source;
import io.sluice.decide.plan.SubStatement.Value;
import java.util.ArrayList;
import java.util.List;

/**
 * Builds the texts of sub-requests from the client's statement. It cuts only between tokens, so
 * comments stay whole. Each text takes one pass over restrictions and markers.
 *
 * @param cql the client's text
 * @param select the positions of its parts in {@code cql}; its token restrictions are removed
 * @param token the replacement for these, {@code token(…)} of the table's key
 * @param more additional selectors, as CQL
 * @param limited whether LIMIT becomes a marker of the proxy's own
 */
record Splice(String cql, Select select, String token, String more, boolean limited) {

  SubStatement text(boolean after, boolean upTo) {
    Output out = new Output(cql, select.markers());
    Span where = select.where().span();
    out.copy(select.span().start(), select.projection().span().end());
    out.text.append(more);
    out.copy(select.projection().span().end(), where.start());
    where(after, upTo, out);
    Expression limit = limited ? select.limits().rows() : null;
    if (limit == null) {
      out.copy(where.end(), select.span().end());
    } else {
      out.copy(where.end(), limit.span().start());
      out.marker(Source.LIMIT);
      out.copy(limit.span().end(), select.span().end());
    }
    return new SubStatement(out.text.toString(), out.values);
  }

  private void where(boolean after, boolean upTo, Output out) {
    String next = " WHERE ";
    for (Restriction restriction : select.where().restrictions()) {
      if (restriction.subject() != Restriction.Subject.TOKEN) {
        out.text.append(next);
        out.copy(restriction.span().start(), restriction.span().end());
        next = " AND ";
      }
    }
    if (after) {
      out.text.append(next).append(token).append(" >");
      out.marker(Source.AFTER);
      next = "AND ";
    }
    if (upTo) {
      out.text.append(next).append(token).append(" <=");
      out.marker(Source.UP_TO);
    }
    out.text.append(after || upTo ? "" : " ");
  }

  /** The output text. Spans of the client's text must be copied in their order. */
  private static final class Output {
    private final StringBuilder text;
    private final List<Value> values = new ArrayList<>();
    private final String cql;
    private final List<Expression> markers;

    /**
     * Index of the first marker of the client that is not before the end of the last copied span.
     */
    private int next;

    Output(String cql, List<Expression> markers) {
      this.text = new StringBuilder(cql.length() + 64);
      this.cql = cql;
      this.markers = markers;
    }

    void marker(Source source) {
      text.append(" ? ");
      values.add(new Value(source, -1, null));
    }

    /** Copies a span of the client's text, and replaces named markers by {@code ?}. */
    void copy(int first, int behind) {
      int from = first;
      for (; next < markers.size(); next++) {
        Expression marker = markers.get(next);
        Span span = marker.span();
        if (span.end() > behind) {
          break;
        } else if (span.start() >= from) {
          text.append(cql, from, span.start()).append(marker.name() == null ? "?" : " ? ");
          values.add(new Value(Source.CLIENT, marker.marker(), marker.name()));
          from = span.end();
        }
      }
      text.append(cql, from, behind);
    }
  }
}
