package io.sluice.torture;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A range of seeds of the command line, such as {@code 1..20}.
 *
 * @param first the first seed
 * @param last the last seed
 */
record Seeds(long first, long last) {
  private static final Pattern RANGE = Pattern.compile("(\\d{1,9})\\.\\.(\\d{1,9})");

  /** Returns a range of one seed. */
  static Seeds only(long seed) {
    return new Seeds(seed, seed);
  }

  /** Parses a range. Throws an {@link IllegalArgumentException} if the text is none. */
  static Seeds of(String text) {
    Matcher range = RANGE.matcher(text);
    if (range.matches()) {
      long first = Long.parseLong(range.group(1));
      long last = Long.parseLong(range.group(2));
      if (first <= last) {
        return new Seeds(first, last);
      }
    }
    throw new IllegalArgumentException("--seeds: '" + text + "' is not a range like 1..20");
  }

  /** Returns the number of seeds. */
  long count() {
    return last - first + 1;
  }
}
