package io.sluice.execute.dispatch;

import org.jspecify.annotations.Nullable;

/**
 * The text and the keyspace of a prepared statement.
 *
 * @param cql its text
 * @param keyspace the keyspace it was prepared in, or null
 */
public record PreparedText(String cql, @Nullable String keyspace) {}
