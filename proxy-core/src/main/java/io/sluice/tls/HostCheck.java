package io.sluice.tls;

import org.jspecify.annotations.Nullable;

/**
 * The name that a node's certificate must contain. Immutable.
 *
 * @param verify whether the name is checked; false accepts the certificate of any host
 * @param serverName a DNS name, which is also sent as SNI; null for the node's address
 */
public record HostCheck(boolean verify, @Nullable String serverName) {

  /** Checks that a node's certificate contains the node's address. */
  public static final HostCheck ADDRESS = new HostCheck(true, null);
}
