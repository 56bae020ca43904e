package io.sluice.evaluate.study;

import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/**
 * The times of a join, from the log of its node. Pure.
 *
 * @param begun start of the bootstrap
 * @param normal time at which the node became NORMAL
 */
record JoinLog(Optional<LocalDateTime> begun, Optional<LocalDateTime> normal) {
  private static final Pattern TIME =
      Pattern.compile("([0-9]{4}-[0-9]{2}-[0-9]{2}).([0-9:]{8},[0-9]{3})");
  private static final DateTimeFormatter FORMAT =
      DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss,SSS");

  static JoinLog of(List<String> lines) {
    return new JoinLog(time(lines, "Starting to bootstrap"), time(lines, "state jump to NORMAL"));
  }

  private static Optional<LocalDateTime> time(List<String> lines, String text) {
    return lines.stream()
        .filter(line -> line.contains(text))
        .flatMap(line -> TIME.matcher(line).results().limit(1).map(JoinLog::time))
        .reduce((first, second) -> second);
  }

  private static LocalDateTime time(MatchResult found) {
    return LocalDateTime.parse(found.group(1) + " " + found.group(2), FORMAT);
  }
}
