package io.sluice.statement;

import io.sluice.wire.PreparedId;
import org.jspecify.annotations.Nullable;

/**
 * A statement that clients may execute.
 *
 * @param id the id that clients know
 * @param keyspace the keyspace it was prepared in; null for none
 * @param digest the digest of its text
 * @param cql its text as clients have sent it
 */
public record PreparedFacts(PreparedId id, @Nullable String keyspace, long digest, String cql) {}
