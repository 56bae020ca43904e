package io.sluice.ycsb;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/** The CQL form of a YCSB scan. */
enum ScanMode {
  /**
   * Reads from the start key's token on, up to the requested number of rows, like YCSB's own
   * binding.
   */
  TOKEN_LIMIT,
  /**
   * Reads the same, but only in the share of the ring that should hold these rows. Murmur3 only.
   */
  TOKEN_RANGE,
  /** Reads every row of the table. Start key and length do not matter. */
  FULL_TABLE,
  /** Counts the rows of the table. */
  COUNT;

  String property() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  static Optional<ScanMode> of(String property) {
    return Arrays.stream(values()).filter(m -> m.property().equals(property)).findFirst();
  }

  static String all() {
    return Arrays.stream(values()).map(ScanMode::property).collect(Collectors.joining(", "));
  }
}
