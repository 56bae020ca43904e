package io.sluice.decide.classify;

/** Skips whitespace and comments of CQL. Stateless. */
final class Blanks {

  private Blanks() {}

  /**
   * Returns the index of the first character that is neither whitespace nor in a comment, or −1
   * when a comment has no end. To Cassandra, a line comment needs one.
   */
  static int skip(String text, int from) {
    int i = from;
    while (i >= 0 && i < text.length()) {
      char c = text.charAt(i);
      if (c == ' ' || c == '\n' || c == '\r' || c == '\t') {
        i++;
      } else if ((c == '-' || c == '/') && Characters.at(text, i + 1) == c) {
        i = behindLine(text, i + 2);
      } else if (c == '/' && Characters.at(text, i + 1) == '*') {
        int close = text.indexOf("*/", i + 2);
        i = close < 0 ? -1 : close + 2;
      } else {
        return i;
      }
    }
    return i;
  }

  private static int behindLine(String text, int from) {
    for (int i = from; i < text.length(); i++) {
      if (text.charAt(i) == '\n' || text.charAt(i) == '\r') {
        return i + 1;
      }
    }
    return -1;
  }
}
