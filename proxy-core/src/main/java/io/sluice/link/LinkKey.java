package io.sluice.link;

import io.sluice.wire.Identity;
import org.jspecify.annotations.Nullable;

/**
 * The properties that requests must have in common to share a link.
 *
 * @param identity the identity that the link is logged in as
 * @param version the protocol version, so that bodies need no translation
 * @param keyspace the keyspace for unqualified names; null for none
 */
public record LinkKey(Identity identity, int version, @Nullable String keyspace) {}
