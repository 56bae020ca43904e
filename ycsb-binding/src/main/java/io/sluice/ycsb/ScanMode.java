package io.sluice.ycsb;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/** The CQL form of a YCSB scan. */
enum ScanMode {
  /** From the start key's token on, as many rows as asked for: what upstream's binding does. */
  TOKEN_LIMIT,
  /** The same within as much of the ring as should hold these rows. Murmur3 only. */
  TOKEN_RANGE,
  /** Every row of the table; start key and length do not matter. */
  FULL_TABLE,
  /** The number of rows in the table. */
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
