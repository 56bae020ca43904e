package io.sluice.usage;

/**
 * The statements of one kind about a table, at one moment.
 *
 * @param keyspace its keyspace; empty for all tables that are not kept one by one
 * @param table its name; empty as the keyspace is
 * @param shape what the statements are, in lower case
 * @param cost of all of them so far
 */
public record TableFacts(String keyspace, String table, String shape, Cost cost) {}
