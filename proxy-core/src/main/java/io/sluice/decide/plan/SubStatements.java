package io.sluice.decide.plan;

import io.sluice.decide.classify.Expression;
import io.sluice.decide.classify.Restriction;
import io.sluice.decide.classify.Select;
import io.sluice.decide.classify.Span;
import io.sluice.decide.plan.SubStatement.Source;
import io.sluice.decide.plan.SubStatement.Value;
import io.sluice.ring.TokenRange;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The texts of a split statement's sub-requests, one for each shape: open at the beginning, at the
 * end, at neither, at both. They are the client's text, spliced; made once for a statement.
 *
 * @param open both ends open
 * @param from open at the end
 * @param upTo open at the beginning
 * @param between neither end open
 */
record SubStatements(
    SubStatement open, SubStatement from, SubStatement upTo, SubStatement between) {

  /**
   * Takes a statement apart.
   *
   * @param cql its text
   * @param select where its parts are in {@code cql}
   * @param tokens those of its restrictions that are taken out
   * @param key the columns of the partition key, as stored
   * @param more what is selected besides, as CQL; may be empty
   * @param limited whether LIMIT becomes a marker of ours
   */
  static SubStatements made(
      String cql,
      Select select,
      Collection<Restriction> tokens,
      List<String> key,
      String more,
      boolean limited) {
    Splice splice = new Splice(cql, select, tokens, token(key), more, limited);
    SubStatement from = splice.text(true, false);
    // With no token restriction left Cassandra might refuse what the client asked: it counts them
    // when it decides whether filtering has to be allowed.
    SubStatement open = tokens.isEmpty() ? splice.text(false, false) : from;
    return new SubStatements(open, from, splice.text(false, true), splice.text(true, true));
  }

  private static String token(List<String> key) {
    return key.stream().map(SubStatements::quoted).collect(Collectors.joining(", ", "token(", ")"));
  }

  /** A name as CQL takes it, whatever it is. */
  static String quoted(String name) {
    return '"' + name.replace("\"", "\"\"") + '"';
  }

  /**
   * The text for a piece. It may have a marker for {@link Source#AFTER} though the range is open
   * there: the minimum token is then the value.
   */
  SubStatement of(TokenRange range) {
    if (range.after() == null) {
      return range.upTo() == null ? open : upTo;
    }
    return range.upTo() == null ? from : between;
  }

  /** One statement being spliced. Cuts are made between tokens only, so comments stay whole. */
  private record Splice(
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
}
