package io.sluice.link;

import io.sluice.wire.Identity;
import org.jspecify.annotations.Nullable;

/**
 * The facts that requests must have in common to share a link.
 *
 * @param identity the login they are used for
 * @param version the protocol version, so that bodies need no translation
 * @param keyspace the keyspace that unqualified names resolve in; null for requests that have none
 */
public record LinkKey(Identity identity, int version, @Nullable String keyspace) {}
