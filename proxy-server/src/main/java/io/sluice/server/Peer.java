package io.sluice.server;

import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/**
 * Other proxies: the address of one, a name of any number of them, or those of the fleet's
 * keyspace.
 *
 * @param address the address; unresolved for a name; null for the keyspace
 * @param isName whether it is a name that is looked up again and again
 */
record Peer(@Nullable InetSocketAddress address, boolean isName) {

  private static final String NAME = "dns:";
  private static final String KEYSPACE = "keyspace";

  /**
   * The peer in "host:port", "dns:name:port" or "keyspace".
   *
   * @throws IllegalArgumentException when it is none of these
   */
  static Peer of(String text) {
    if (text.equals(KEYSPACE)) {
      return new Peer(null, false);
    }
    if (!text.startsWith(NAME)) {
      return new Peer(SettingsFormat.address(text), false);
    }
    return new Peer(SettingsFormat.name(text.substring(NAME.length())), true);
  }

  /** Whether it can be used: an address must be known, a name need not be yet. */
  boolean isKnown() {
    return isName || address == null || !address.isUnresolved();
  }

  @Override
  public String toString() {
    return address == null ? KEYSPACE : (isName ? NAME : "") + SettingsFormat.text(address);
  }
}
