package io.sluice.usage;

/**
 * The statements of one shape on a table, with their cost, at one moment.
 *
 * @param keyspace its keyspace; empty for all tables that are not kept individually
 * @param table its name; empty when the keyspace is
 * @param shape the shape of the statements, in lower case
 * @param cost the cost of all of them so far
 */
public record TableFacts(String keyspace, String table, String shape, Cost cost) {}
