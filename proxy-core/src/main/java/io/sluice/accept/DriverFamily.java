package io.sluice.accept;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The language of a driver, by the name that the driver gives itself. A client may give any name;
 * the number of families is fixed.
 */
public enum DriverFamily {
  JAVA,
  PYTHON,
  GO,
  NODEJS,
  CSHARP,
  CPP,
  RUST,
  RUBY,
  PHP,
  /** One that gives another name. */
  OTHER,
  /** One that gives no name. */
  UNNAMED;

  /** Parts of names; the first that is found counts. */
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

  /** As a meter's tag. */
  public String tag() {
    return name().toLowerCase(Locale.ROOT);
  }
}
