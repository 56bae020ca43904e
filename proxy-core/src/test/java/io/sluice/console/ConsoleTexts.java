package io.sluice.console;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The texts of rows, for tests of the console's tables. */
final class ConsoleTexts {

  private ConsoleTexts() {}

  /** Returns an array of one JSON object with these members, written as {@code name: 'value'}. */
  static String json(String... members) {
    return Stream.of(members)
        .map(each -> "\"" + each.replaceFirst(": ", "\":").replace('\'', '"'))
        .collect(Collectors.joining(",", "[{", "}]"));
  }

  static String text(@Nullable ByteBuffer cell) {
    return StandardCharsets.UTF_8.decode(Objects.requireNonNull(cell).duplicate()).toString();
  }
}
