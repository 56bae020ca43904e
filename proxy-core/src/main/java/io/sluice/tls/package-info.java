/**
 * Foundation: TLS with clients, with nodes and on the admin port. {@link io.sluice.tls.Tls} is one
 * of them: its certificates, which follow their files, and the handshakes made with them.
 */
@NullMarked
package io.sluice.tls;

import org.jspecify.annotations.NullMarked;
