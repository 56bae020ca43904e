package io.sluice.statement;

import org.jspecify.annotations.Nullable;

/**
 * The head of an EXPLAIN: the keyword, then its options in any order, each at most once.
 *
 * @param options the options
 * @param cql the text after the head
 */
record ExplainHead(Explain.Options options, String cql) {

  private static final String EXPLAIN = "EXPLAIN";
  private static final String ANALYZE = "ANALYZE";
  private static final String JSON = "JSON";

  /**
   * Parses EXPLAIN and its options in linear time; null when a text does not begin with EXPLAIN.
   */
  static @Nullable ExplainHead of(String cql) {
    int at = behind(EXPLAIN, cql, skipped(cql, 0));
    if (at < 0) {
      return null;
    }
    boolean analyze = false;
    boolean json = false;
    boolean more = true;
    while (more) {
      int word = skipped(cql, at);
      int behindAnalyze = analyze ? -1 : behind(ANALYZE, cql, word);
      int behindJson = json ? -1 : behind(JSON, cql, word);
      analyze |= behindAnalyze >= 0;
      json |= behindJson >= 0;
      at = Math.max(at, Math.max(behindAnalyze, behindJson));
      more = behindAnalyze >= 0 || behindJson >= 0;
    }
    return new ExplainHead(new Explain.Options(analyze, json), cql.substring(at).stripLeading());
  }

  /** Whether a text begins with EXPLAIN. */
  static boolean isExplain(String cql) {
    return behind(EXPLAIN, cql, skipped(cql, 0)) >= 0;
  }

  /**
   * Returns the end of {@code word} at {@code start} if it is a whole word there; below 0
   * otherwise.
   */
  private static int behind(String word, String cql, int start) {
    int end = start + word.length();
    boolean found =
        cql.regionMatches(true, start, word, 0, word.length())
            && end < cql.length()
            && (Character.isWhitespace(cql.charAt(end)) || isComment(cql, end));
    return found ? end : -1;
  }

  /**
   * Returns the index of the first character from {@code start} on that is neither white space nor
   * part of a comment.
   */
  private static int skipped(String cql, int start) {
    int at = start;
    while (at < cql.length()) {
      if (Character.isWhitespace(cql.charAt(at))) {
        at++;
      } else if (isComment(cql, at)) {
        at = commentEnd(cql, at);
      } else {
        return at;
      }
    }
    return at;
  }

  private static boolean isComment(String cql, int at) {
    return cql.startsWith("--", at) || cql.startsWith("//", at) || cql.startsWith("/*", at);
  }

  private static int commentEnd(String cql, int at) {
    boolean block = cql.startsWith("/*", at);
    int end = cql.indexOf(block ? "*/" : "\n", at + 2);
    return end < 0 ? cql.length() : end + (block ? 2 : 1);
  }
}
