package io.sluice.it;

import java.util.List;
import java.util.stream.Stream;

/**
 * The protocol version and the compression of a driver's connections.
 *
 * @param version the protocol version, such as V4
 * @param compression none, lz4 or snappy
 */
record Wire(String version, String compression) {

  /** What a driver of today uses unless told otherwise. */
  static final Wire USUAL = new Wire("V5", "none");

  /** Every pair that Cassandra serves: version 5 knows no Snappy. */
  static Stream<Wire> all() {
    return Stream.of("V3", "V4", "V5")
        .flatMap(v -> compressions(v).stream().map(c -> new Wire(v, c)));
  }

  private static List<String> compressions(String version) {
    return version.equals("V5") ? List.of("none", "lz4") : List.of("none", "lz4", "snappy");
  }

  /** Whether values may be left unset, and errors tell warnings and payload. */
  boolean atLeast(String other) {
    return version.compareTo(other) >= 0;
  }

  @Override
  public String toString() {
    return version + " " + compression;
  }
}
