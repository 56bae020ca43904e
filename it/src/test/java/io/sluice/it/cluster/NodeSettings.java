package io.sluice.it.cluster;

import java.util.Map;

/** The settings that the tests need on every node, whatever it runs in. */
final class NodeSettings {
  /** A node that lives for minutes takes a third less of the cores until it serves. */
  static final String FIRST_COMPILER_ONLY = "-XX:TieredStopAtLevel=1";

  /** Makes a node answer with the custom payload it was sent. */
  static final String MIRROR_PAYLOAD =
      "-Dcassandra.custom_query_handler_class="
          + "org.apache.cassandra.cql3.CustomPayloadMirroringQueryHandler";

  /** With passwords, so that a changed role is seen soon. */
  static final Map<String, String> AUTH =
      Map.of(
          "permissions_validity",
          "100ms",
          "roles_validity",
          "100ms",
          "credentials_validity",
          "100ms");

  private NodeSettings() {}
}
