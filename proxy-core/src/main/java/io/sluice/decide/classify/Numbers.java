package io.sluice.decide.classify;

/** Finds the end of literals that are written with digits: numbers, blobs and UUIDs. Stateless. */
final class Numbers {

  private static final int UUID_LENGTH = 36;

  private Numbers() {}

  /** Returns the end of the UUID that begins at {@code start}, or −1 when there is none. */
  static int endOfUuid(String text, int start) {
    int end = start + UUID_LENGTH;
    if (Characters.at(text, start + 8) != '-' || end > text.length()) {
      return -1;
    }
    for (int i = 0; i < UUID_LENGTH; i++) {
      boolean dash = i == 8 || i == 13 || i == 18 || i == 23;
      int c = text.charAt(start + i);
      if (dash ? c != '-' : !Characters.hex(c)) {
        return -1;
      }
    }
    return end;
  }

  /** Whether a blob begins at {@code start}: {@code 0x}. */
  static boolean isHex(String text, int start) {
    return text.charAt(start) == '0' && (Characters.at(text, start + 1) | 0x20) == 'x';
  }

  /** Returns the index after the run of hexadecimal digits that begins at {@code from}. */
  static int skipHex(String text, int from) {
    int i = from;
    while (Characters.hex(Characters.at(text, i))) {
      i++;
    }
    return i;
  }

  /**
   * Returns the end of a fraction after the digits of a whole number. Two dots belong to a range.
   *
   * @return {@code whole} when there is no fraction
   */
  static int endOfFraction(String text, int whole) {
    boolean point = Characters.at(text, whole) == '.' && Characters.at(text, whole + 1) != '.';
    return point ? Characters.skipDigits(text, whole + 1) : whole;
  }

  /**
   * Returns the end of an exponent after a number.
   *
   * @return {@code from} when there is no exponent
   */
  static int endOfExponent(String text, int from) {
    if ((Characters.at(text, from) | 0x20) != 'e') {
      return from;
    }
    int sign = Characters.at(text, from + 1);
    int digits = sign == '+' || sign == '-' ? from + 2 : from + 1;
    int after = Characters.skipDigits(text, digits);
    return after > digits ? after : from;
  }

  /** Returns the end of NaN or Infinity after a minus, or −1 when neither is there. */
  static int endOfNegativeWord(String text, int minus) {
    int nan = endOfWord(text, minus + 1, "nan");
    return nan > 0 ? nan : endOfWord(text, minus + 1, "infinity");
  }

  private static int endOfWord(String text, int from, String word) {
    int after = from + word.length();
    return text.regionMatches(true, from, word, 0, word.length())
            && !Characters.word(Characters.at(text, after))
        ? after
        : -1;
  }

  /** Returns a floating-point literal as Java reads it. */
  static String floatText(String text, int start, int end) {
    return switch (text.charAt(end - 1) | 0x20) {
      case 'n' -> "NaN";
      case 'y' -> text.charAt(start) == '-' ? "-Infinity" : "Infinity";
      default -> text.substring(start, end);
    };
  }
}
