package io.sluice.decide.classify;

/** Finds the end of duration literals, {@code 1h30m} or {@code P1DT2H}. */
final class Durations {
  private Durations() {}

  /**
   * Returns the end of the longest run of numbers with units.
   *
   * @param digits where the first number begins
   * @return −1 when there is no such run
   */
  static int endOfUnits(String text, int digits) {
    int end = -1;
    int i = Characters.skipDigits(text, digits);
    while (i > Math.max(digits, end)) {
      int unit = unitLength(text, i);
      if (unit == 0) {
        return end;
      }
      end = i + unit;
      i = Characters.skipDigits(text, end);
    }
    return end;
  }

  private static int unitLength(String text, int at) {
    int next = Characters.at(text, at + 1) | 0x20;
    return switch (Characters.at(text, at) | 0x20) {
      case 'm' -> next == 'o' || next == 's' ? 2 : 1;
      case 'y', 'w', 'd', 'h', 's' -> 1;
      case 'u', 'n', '\u00B5' | 0x20 -> next == 's' ? 2 : 0;
      default -> 0;
    };
  }

  /**
   * Returns the end of an ISO 8601 duration.
   *
   * @param p the index of its P
   * @return −1 when there is none
   */
  static int endOfIso(String text, int p) {
    if (Characters.at(text, p) != 'P') {
      return -1;
    }
    int alternative = endOfAlternative(text, p + 1);
    if (alternative > 0) {
      return boundary(text, alternative);
    }
    int weeks = designators(text, p + 1, "W");
    if (weeks > p + 1) {
      return boundary(text, weeks);
    }
    int date = designators(text, p + 1, "YMD");
    int end = Characters.at(text, date) == 'T' ? time(text, date) : date;
    return end > p + 1 ? boundary(text, end) : -1;
  }

  private static int time(String text, int t) {
    int end = designators(text, t + 1, "HMS");
    return end > t + 1 ? end : t;
  }

  /**
   * Returns the end of a run of numbers, each with its own letter, in the order of {@code letters}.
   */
  private static int designators(String text, int from, String letters) {
    int end = from;
    for (int next = 0; next < letters.length(); ) {
      int letter = Characters.skipDigits(text, end);
      int found = letter == end ? -1 : letters.indexOf(Characters.at(text, letter), next);
      if (found < 0) {
        return end;
      }
      end = letter + 1;
      next = found + 1;
    }
    return end;
  }

  private static int endOfAlternative(String text, int from) {
    String shape = "dddd-dd-ddTdd:dd:dd";
    for (int i = 0; i < shape.length(); i++) {
      int c = Characters.at(text, from + i);
      if (shape.charAt(i) == 'd' ? !Characters.digit(c) : c != shape.charAt(i)) {
        return -1;
      }
    }
    return from + shape.length();
  }

  /**
   * Returns {@code end}, or −1 if a word continues there: then the whole is a word, not a literal.
   */
  private static int boundary(String text, int end) {
    return Characters.word(Characters.at(text, end)) ? -1 : end;
  }
}
