package io.sluice.statement;

import io.sluice.wire.PreparedId;
import org.jspecify.annotations.Nullable;

/**
 * A prepared statement of clients.
 *
 * @param id its prepared id
 * @param keyspace the keyspace in which it was prepared; null for none
 * @param digest the digest of its text
 * @param cql its text as clients have sent it
 */
public record PreparedFacts(PreparedId id, @Nullable String keyspace, long digest, String cql) {}
