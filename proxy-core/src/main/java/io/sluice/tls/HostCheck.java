package io.sluice.tls;

import org.jspecify.annotations.Nullable;

/**
 * The name that a node's certificate must bear.
 *
 * @param verify whether the certificate must bear it; false accepts the certificate of any node
 * @param serverName a DNS name, which is sent as SNI too; null for the address of the node
 */
public record HostCheck(boolean verify, @Nullable String serverName) {

  /** The certificate of a node bears its address. */
  public static final HostCheck ADDRESS = new HostCheck(true, null);
}
