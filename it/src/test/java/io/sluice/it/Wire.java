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

  /** The defaults of current drivers. */
  static final Wire USUAL = new Wire("V5", "none");

  /** Returns every pair that Cassandra supports: version 5 has no Snappy. */
  static Stream<Wire> all() {
    return Stream.of("V3", "V4", "V5")
        .flatMap(v -> compressions(v).stream().map(c -> new Wire(v, c)));
  }

  private static List<String> compressions(String version) {
    return version.equals("V5") ? List.of("none", "lz4") : List.of("none", "lz4", "snappy");
  }

  /**
   * Whether the version is at least {@code other}, as unset values, and warnings and payload of
   * errors require.
   */
  boolean atLeast(String other) {
    return version.compareTo(other) >= 0;
  }

  @Override
  public String toString() {
    return version + " " + compression;
  }
}
