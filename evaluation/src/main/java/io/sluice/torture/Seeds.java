package io.sluice.torture;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.LongStream;

/** Parses a range of seeds of the command line, such as {@code 1..20}. */
final class Seeds {
  private static final Pattern RANGE = Pattern.compile("(\\d{1,9})\\.\\.(\\d{1,9})");

  private Seeds() {}

  /** Returns the seeds. Throws an {@link IllegalArgumentException} if the text is not a range. */
  static List<Long> of(String text) {
    Matcher range = RANGE.matcher(text);
    if (range.matches()) {
      long first = Long.parseLong(range.group(1));
      long last = Long.parseLong(range.group(2));
      if (first <= last) {
        return LongStream.rangeClosed(first, last).boxed().toList();
      }
    }
    throw new IllegalArgumentException("--seeds: '" + text + "' is not a range like 1..20");
  }
}
