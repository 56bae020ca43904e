package io.sluice.decide.plan;

import io.sluice.decide.classify.Restriction;
import io.sluice.decide.classify.Select;
import io.sluice.decide.plan.SubStatement.Source;
import io.sluice.ring.TableName;
import io.sluice.ring.TokenRange;
import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The texts of a split statement's sub-requests, one per shape: open at the beginning, at the end,
 * at neither, at both. They are made once per statement from the client's text.
 *
 * @param open both ends open
 * @param from open at the end
 * @param upTo open at the beginning
 * @param between neither end open
 */
record SubStatements(
    SubStatement open, SubStatement from, SubStatement upTo, SubStatement between) {

  /**
   * Makes the texts of a statement.
   *
   * @param cql its text
   * @param select the positions of its parts in {@code cql}
   * @param tokens its restrictions that are removed
   * @param key the columns of the partition key, as stored
   * @param more additional selectors, as CQL; may be empty
   * @param limited whether LIMIT becomes a marker of the proxy's own
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
    // Cassandra counts token restrictions when it decides whether a statement needs ALLOW
    // FILTERING. So where the client's statement had one, a piece that is open at both ends keeps
    // one: its value is then the minimum token.
    SubStatement open = tokens.isEmpty() ? splice.text(false, false) : from;
    return new SubStatements(open, from, splice.text(false, true), splice.text(true, true));
  }

  private static String token(List<String> key) {
    return key.stream().map(TableName::quoted).collect(Collectors.joining(", ", "token(", ")"));
  }

  /**
   * Returns the text for a piece. It may have a marker for {@link Source#AFTER} even if the range
   * is open there: the value is then the minimum token.
   */
  SubStatement of(TokenRange range) {
    if (range.after() == null) {
      return range.upTo() == null ? open : upTo;
    }
    return range.upTo() == null ? from : between;
  }
}
