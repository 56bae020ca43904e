package io.sluice.accept;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The language of a driver, by the name in its STARTUP. A client chooses that name freely, while
 * the number of families is fixed.
 */
enum DriverFamily {
  JAVA,
  PYTHON,
  GO,
  NODEJS,
  CSHARP,
  CPP,
  RUST,
  RUBY,
  PHP,
  /** A driver with another name. */
  OTHER,
  /** A driver without a name. */
  UNNAMED;

  /** Parts of driver names. The first match counts. */
  private static final List<Map.Entry<String, DriverFamily>> PARTS =
      List.of(
          Map.entry("java ", JAVA),
          Map.entry("python", PYTHON),
          Map.entry("gocql", GO),
          Map.entry("node.js", NODEJS),
          Map.entry("c# ", CSHARP),
          Map.entry("c++", CPP),
          Map.entry("rust", RUST),
          Map.entry("ruby", RUBY),
          Map.entry("php", PHP));

  static DriverFamily of(@Nullable String name) {
    if (name == null || name.isBlank()) {
      return UNNAMED;
    }
    String lower = name.toLowerCase(Locale.ROOT);
    return PARTS.stream()
        .filter(part -> lower.contains(part.getKey()))
        .map(Map.Entry::getValue)
        .findFirst()
        .orElse(OTHER);
  }

  /** Returns the family as a meter's tag. */
  String tag() {
    return name().toLowerCase(Locale.ROOT);
  }
}
