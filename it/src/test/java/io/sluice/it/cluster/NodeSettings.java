package io.sluice.it.cluster;

import java.util.Map;

/** The settings that the tests need on every node, with every provider. */
final class NodeSettings {
  /**
   * Uses only the first compiler: a node that lives for minutes needs a third less processor time
   * for its start.
   */
  static final String FIRST_COMPILER_ONLY = "-XX:TieredStopAtLevel=1";

  /** Lets a node return the custom payload of a request. */
  static final String MIRROR_PAYLOAD =
      "-Dcassandra.custom_query_handler_class="
          + "org.apache.cassandra.cql3.CustomPayloadMirroringQueryHandler";

  /**
   * Settings of every node. A fixture writes at consistency level ALL, and one node of several on
   * two processors may pause for more than the default of two seconds.
   */
  static final Map<String, String> PATIENT = Map.of("write_request_timeout", "15s");

  /** Settings with login, so that changes of roles take effect soon. */
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
