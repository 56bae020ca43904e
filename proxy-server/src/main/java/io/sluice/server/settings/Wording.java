package io.sluice.server.settings;

import io.dropwizard.util.DataSize;
import io.sluice.setting.Secret;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.apache.commons.text.similarity.LevenshteinDistance;
import org.jspecify.annotations.Nullable;

/** The wording of faults. Stateless. */
final class Wording {

  private static final Map<Class<?>, String> EXPECTED =
      Map.of(
          int.class, "must be a whole number",
          double.class, "must be a number",
          boolean.class, "must be true or false",
          String.class, "must be a text",
          Secret.class, "must be a text",
          Duration.class, "must be a duration with its unit, such as 500ms, 5s or 2m",
          DataSize.class, "must be a size, such as 64KiB or 16MiB",
          SettingsFormat.IntSize.class, "must be a size below 2 GiB, such as 64KiB or 16MiB",
          InetSocketAddress.class, "must be an address, such as 10.0.0.1:9042",
          Peer.class,
              "must be an address, such as 10.0.0.1:9042, or a name, such as dns:proxies:9042");

  private Wording() {}

  /** Describes the values of this type; empty when there is no description. */
  static Optional<String> expected(@Nullable Class<?> type) {
    if (type == null) {
      return Optional.empty();
    }
    if (type.isEnum()) {
      return Optional.of("must be one of " + String.join(", ", constants(type)));
    }
    if (Collection.class.isAssignableFrom(type)) {
      return Optional.of("must be a list, such as [a, b]");
    }
    if (!EXPECTED.containsKey(type) && (type.isRecord() || Map.class.isAssignableFrom(type))) {
      return Optional.of("must be a section: keys, each with a value");
    }
    return Optional.ofNullable(EXPECTED.get(type));
  }

  /** Returns the constants of an enum as written in the file: {@code narrow-first}. */
  static List<String> constants(Class<?> type) {
    return Arrays.stream(type.getEnumConstants())
        .map(constant -> constant.toString().toLowerCase(Locale.ROOT).replace('_', '-'))
        .toList();
  }

  /** Returns the element of {@code known} that is closest to {@code written}. */
  static Optional<String> closest(String written, Collection<String> known) {
    int tolerated = Math.max(2, written.length() / 3);
    String folded = folded(written);
    LevenshteinDistance distance = new LevenshteinDistance(tolerated);
    Map<String, Integer> near =
        known.stream()
            .collect(
                Collectors.toMap(
                    name -> name, name -> distance.apply(folded, folded(name)), (a, b) -> a));
    return near.entrySet().stream()
        .filter(entry -> entry.getValue() >= 0)
        .min(
            Map.Entry.<String, Integer>comparingByValue()
                .thenComparing(Comparator.comparing(Map.Entry::getKey)))
        .map(Map.Entry::getKey);
  }

  private static String folded(String name) {
    return name.toLowerCase(Locale.ROOT).replace("-", "").replace("_", "");
  }
}
