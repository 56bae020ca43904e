package io.sluice.decide.classify;

/**
 * A hash of a text's tokens with all literals equal. Blanks, comments and the case of unquoted
 * words make no difference. It is computed during the parse. Not safe for several threads.
 */
final class TextDigest {

  private static final long MULTIPLIER = 0x9E3779B97F4A7C15L;
  private static final int LITERAL = 101;
  private static final int FURTHER_LITERALS = 102;

  private long hash = MULTIPLIER;

  /** End of the digested tokens; a parser may go back to them. */
  private int digested;

  private LiteralRun run = LiteralRun.NONE;

  /** Adds a character to the hash of a word for {@link #add}. */
  static long word(long hash, char c) {
    return (hash + (c | 0x20)) * MULTIPLIER;
  }

  /**
   * Adds a token, unless it was added before.
   *
   * @param word the hash of its characters; 0 for other tokens than words
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

  /**
   * Returns a hash of the kind that is the same in every process, so that digests of several
   * proxies can be compared.
   */
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

  /** Mixes a value into the hash; 0 changes nothing. */
  private void mix(long value) {
    if (value != 0) {
      hash = mixed(hash ^ value);
    }
  }

  /** Mixes a hash, so that each bit of the result depends on all bits of the argument. */
  static long mixed(long hash) {
    long mixed = (hash ^ (hash >>> 32)) * MULTIPLIER;
    return mixed ^ (mixed >>> 29);
  }

  long hash() {
    return hash;
  }
}
