package io.sluice.watch;

/**
 * The tables of the keyspace {@code sluice}.
 *
 * @param proxies heartbeats
 * @param learned what proxies have learned of tables
 */
public record FleetTables(FleetTable proxies, LearnedTable learned) {}
