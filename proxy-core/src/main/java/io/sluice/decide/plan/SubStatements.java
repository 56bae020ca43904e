package io.sluice.decide.plan;

import io.sluice.decide.classify.Restriction;
import io.sluice.decide.classify.Select;
import io.sluice.decide.plan.SubStatement.Source;
import io.sluice.ring.TokenRange;
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
    Splice splice = new Splice(cql, select, token(key), more, limited);
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
}
