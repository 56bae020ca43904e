/**
 * Foundation: TLS with clients, with nodes and on the admin port. {@link io.sluice.tls.Tls} is one
 * of these sides, with its certificates, their reloads, and its handshakes.
 */
@NullMarked
package io.sluice.tls;

import org.jspecify.annotations.NullMarked;
