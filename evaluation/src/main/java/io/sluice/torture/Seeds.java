package io.sluice.torture;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.LongStream;

/** A range of seeds as a command line has it, such as {@code 1..20}. */
final class Seeds {
  private static final Pattern RANGE = Pattern.compile("(\\d{1,9})\\.\\.(\\d{1,9})");

  private Seeds() {}

  /** Throws {@link IllegalArgumentException} if it is no such range. */
  static List<Long> of(String text) {
    Matcher range = RANGE.matcher(text);
    if (range.matches()) {
      long first = Long.parseLong(range.group(1));
      long last = Long.parseLong(range.group(2));
      if (first <= last) {
        return LongStream.rangeClosed(first, last).boxed().toList();
      }
    }
    throw new IllegalArgumentException("--seeds: '" + text + "' is no range; write it like 1..20");
  }
}
