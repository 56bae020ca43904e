package io.sluice.server.settings;

import java.net.InetSocketAddress;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Other proxies: one address, a name that stands for any number of proxies, or the proxies of the
 * fleet's keyspace.
 *
 * @param address the address; unresolved for a name; null for the keyspace
 * @param isName whether the address is a name that is looked up periodically
 */
record Peer(@Nullable InetSocketAddress address, boolean isName) {

  private static final String NAME = "dns:";
  private static final String KEYSPACE = "keyspace";

  /**
   * Parses "host:port", "dns:name:port" or "keyspace".
   *
   * @param lookup finds the address of a host
   * @throws IllegalArgumentException when the text is none of these
   */
  static Peer of(String text, UnaryOperator<InetSocketAddress> lookup) {
    if (text.equals(KEYSPACE)) {
      return new Peer(null, false);
    }
    if (!text.startsWith(NAME)) {
      return new Peer(lookup.apply(SettingsFormat.name(text)), false);
    }
    return new Peer(SettingsFormat.name(text.substring(NAME.length())), true);
  }

  @Override
  public String toString() {
    return address == null ? KEYSPACE : (isName ? NAME : "") + SettingsFormat.text(address);
  }
}
