package io.sluice.watch;

import io.sluice.ring.TableName;

/**
 * The permissions that the role of the proxies needs in a cluster that checks permissions. Nodes
 * let each role read all other tables that the watch reads.
 */
enum Grant {
  FLEET(
      "SELECT, MODIFY ON KEYSPACE " + FleetSession.KEYSPACE,
      "this proxy does not find the other proxies"),

  // Nodes before 4.0.18, 4.1.9 and 5.0.5 grant no virtual keyspace, only its tables.
  THREAD_POOLS(
      "SELECT ON system_views.thread_pools",
      "each node counts as one with Cassandra's default thread pools"),
  SETTINGS("SELECT ON system_views.settings", "Cassandra's default timeouts are used"),
  INDEXES(
      "SELECT ON system.\"IndexInfo\"", "the answer to CREATE INDEX does not wait for the index");

  private final String what;
  private final String without;

  Grant(String what, String without) {
    this.what = what;
    this.without = without;
  }

  /** Returns the statement that grants it. */
  String to(String role) {
    return "GRANT " + what + " TO " + TableName.quoted(role);
  }

  /** Returns the consequence of its lack. */
  String without() {
    return without;
  }
}
