package io.sluice.decide.classify;

/** The character classes of CQL, all within ASCII. */
final class Characters {
  private Characters() {}

  static boolean digit(int c) {
    return c >= '0' && c <= '9';
  }

  static boolean letter(int c) {
    int folded = c | 0x20;
    return folded >= 'a' && folded <= 'z';
  }

  static boolean word(int c) {
    return letter(c) || digit(c) || c == '_';
  }

  static boolean hex(int c) {
    int folded = c | 0x20;
    return digit(c) || (folded >= 'a' && folded <= 'f');
  }

  /** The index after the run of digits that begins at {@code from}. */
  static int skipDigits(String text, int from) {
    int i = from;
    while (i < text.length() && digit(text.charAt(i))) {
      i++;
    }
    return i;
  }

  /** The character at an index, or −1 past the end. */
  static int at(String text, int index) {
    return index < text.length() ? text.charAt(index) : -1;
  }
}
