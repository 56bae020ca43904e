package io.sluice.decide.classify;

/**
 * A hash of a text's tokens in which all literals are the same, and in which blanks, comments and
 * the case of unquoted words make no difference. It is made while the text is parsed. Not safe for
 * several threads.
 */
final class TextDigest {

  private static final long MULTIPLIER = 0x9E3779B97F4A7C15L;
  private static final int LITERAL = 101;
  private static final int FURTHER_LITERALS = 102;

  private long hash = MULTIPLIER;

  /** Tokens before this position are in it; a parser may go back to them. */
  private int digested;

  private LiteralRun run = LiteralRun.NONE;

  /** One step of the hash that {@link #add} wants of a word. */
  static long word(long hash, char c) {
    return (hash + (c | 0x20)) * MULTIPLIER;
  }

  /**
   * Takes a token in, unless it was taken in before.
   *
   * @param word the hash of its characters; 0 where it is no word
   */
  void add(Lexeme kind, String text, int start, int end, long word) {
    if (start < digested || kind == Lexeme.END) {
      return;
    }
    digested = Math.max(end, start + 1);
    LiteralRun before = run;
    run = before.next(kind);
    switch (run) {
      case COMMA, LIST_COMMA -> {}
      case LITERAL -> mix(LITERAL);
      case LIST -> mix(before == LiteralRun.COMMA ? FURTHER_LITERALS : 0);
      case NONE -> {
        if (before.hasComma()) {
          mix(kind(Lexeme.COMMA));
        }
        mix(kind(kind));
        mix(kind == Lexeme.QUOTED_NAME ? quoted(text, start, end) : word);
      }
    }
  }

  /** The same in every process, so that digests of several proxies can be compared. */
  private static long kind(Lexeme kind) {
    return kind.name().hashCode();
  }

  private static long quoted(String text, int start, int end) {
    long name = 0;
    for (int i = start; i < end; i++) {
      name = (name + text.charAt(i)) * MULTIPLIER;
    }
    return name;
  }

  /** 0 changes nothing. */
  private void mix(long value) {
    if (value != 0) {
      hash = mixed(hash ^ value);
    }
  }

  /** A hash of which each bit depends on all bits of another. */
  static long mixed(long hash) {
    long mixed = (hash ^ (hash >>> 32)) * MULTIPLIER;
    return mixed ^ (mixed >>> 29);
  }

  long hash() {
    return hash;
  }
}
