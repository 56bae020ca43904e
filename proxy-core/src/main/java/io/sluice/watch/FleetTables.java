package io.sluice.watch;

/**
 * The tables of the keyspace {@code sluice}.
 *
 * @param proxies the table of heartbeats
 * @param learned the table of what proxies have learned of tables
 */
public record FleetTables(FleetTable proxies, LearnedTable learned) {}
