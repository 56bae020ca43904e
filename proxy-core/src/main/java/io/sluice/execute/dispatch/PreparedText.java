package io.sluice.execute.dispatch;

import org.jspecify.annotations.Nullable;

/**
 * The text and the keyspace of a prepared statement.
 *
 * @param cql the text
 * @param keyspace the keyspace in which it was prepared, or null
 */
public record PreparedText(String cql, @Nullable String keyspace) {}
