package io.sluice.decide.classify;

/** The text of a statement as it may be shown: without literals and comments. Stateless. */
public final class StatementText {

  private static final String CUT = " ...";

  private StatementText() {}

  /**
   * Returns the text with {@code ?} for each literal and {@code ?, ...} for several in a row, and
   * one blank for blanks and comments. The text ends at the first invalid token, so that nothing
   * between quotes is shown.
   *
   * @param most largest number of characters
   */
  public static String shown(String cql, int most) {
    Lexer lexer = new Lexer(cql);
    StringBuilder shown = new StringBuilder(Math.min(most, cql.length()));
    LiteralRun run = LiteralRun.NONE;
    boolean ends = lexer.kind() == Lexeme.END;
    while (!ends && lexer.kind() != Lexeme.BAD && shown.length() < most) {
      LiteralRun next = run.next(lexer.kind());
      boolean apart = lexer.start() > lexer.previousEnd() && shown.length() > 0;
      switch (next) {
        case COMMA, LIST_COMMA -> {}
        case LITERAL -> shown.append(apart ? " ?" : "?");
        case LIST -> shown.append(run == LiteralRun.COMMA ? ", ..." : "");
        case NONE -> {
          int end = Math.min(lexer.end(), lexer.start() + most);
          shown.append(run.hasComma() ? "," : "").append(apart ? " " : "");
          shown.append(cql, lexer.start(), end);
        }
      }
      run = next;
      lexer.advance();
      ends = lexer.kind() == Lexeme.END;
    }
    if (ends && shown.length() <= most) {
      return shown.toString();
    }
    shown.setLength(Math.min(shown.length(), Math.max(0, most - CUT.length())));
    return shown.append(CUT).toString();
  }
}
