package io.sluice.it.cluster;

import java.util.Map;

/** The settings that the tests need on every node, with every provider. */
public final class NodeSettings {
  /**
   * Uses only the first compiler: a node that lives for minutes needs a third less processor time
   * for its start.
   */
  public static final String FIRST_COMPILER_ONLY = "-XX:TieredStopAtLevel=1";

  /**
   * Leaves the tables of the schema in memory. By default, a node writes them to files at each
   * change, and compacts these, which costs more than the change. A node that is killed needs
   * {@link ClusterUnderTest.Node#flushSchema} before.
   */
  public static final String SCHEMA_IN_MEMORY = "-Dcassandra.test.flush_local_schema_changes=false";

  /** The smallest work for a hash of a password. The default takes a tenth of a second. */
  public static final String CHEAP_HASHES = "-Dcassandra.auth_bcrypt_gensalt_log2_rounds=4";

  /** Lets a node return the custom payload of a request. */
  static final String MIRROR_PAYLOAD =
      "-Dcassandra.custom_query_handler_class="
          + "org.apache.cassandra.cql3.CustomPayloadMirroringQueryHandler";

  /**
   * Settings of every node. A fixture writes at consistency level ALL, and one node of several on
   * two processors may pause for more than the default of two seconds. A dropped table leaves no
   * snapshot, so it is not written to files first.
   */
  static final Map<String, String> PATIENT =
      Map.of("write_request_timeout", "15s", "auto_snapshot", "false");

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
