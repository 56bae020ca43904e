package io.sluice.decide.classify;

/** The character classes of CQL, all within ASCII. */
final class Characters {
  /** Flag of the characters of words. */
  static final int IN_WORD = 1;

  /** Flag of upper-case letters, which folding turns to lower case. */
  static final int UPPER_CASE = 2;

  private static final byte[] FLAGS = new byte[256];

  static {
    for (int c = 0; c < FLAGS.length; c++) {
      boolean upper = c >= 'A' && c <= 'Z';
      boolean word = letter(c) || digit(c) || c == '_';
      FLAGS[c] = (byte) ((word ? IN_WORD : 0) | (upper ? UPPER_CASE : 0));
    }
  }

  private Characters() {}

  static boolean digit(int c) {
    return c >= '0' && c <= '9';
  }

  static boolean letter(int c) {
    int folded = c | 0x20;
    return folded >= 'a' && folded <= 'z';
  }

  static boolean word(int c) {
    return c >= 0 && flags((char) c) != 0;
  }

  /** Returns the flags of a character, 0 for most. */
  static int flags(char c) {
    return c < FLAGS.length ? FLAGS[c] : 0;
  }

  static boolean hex(int c) {
    int folded = c | 0x20;
    return digit(c) || (folded >= 'a' && folded <= 'f');
  }

  /** Returns the index after the run of digits that begins at {@code from}. */
  static int skipDigits(String text, int from) {
    int i = from;
    while (i < text.length() && digit(text.charAt(i))) {
      i++;
    }
    return i;
  }

  /** Returns the character at an index, or −1 past the end. */
  static int at(String text, int index) {
    return index < text.length() ? text.charAt(index) : -1;
  }
}
