package io.sluice.execute.dispatch;

import org.jspecify.annotations.Nullable;

/**
 * What was prepared.
 *
 * @param cql its text
 * @param keyspace the keyspace it was prepared in, or null
 */
public record PreparedText(String cql, @Nullable String keyspace) {}
