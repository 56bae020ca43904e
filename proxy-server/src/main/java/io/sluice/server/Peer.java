package io.sluice.server;

import java.net.InetSocketAddress;

/**
 * Other proxies: the address of one, or a name of any number of them.
 *
 * @param address the address; unresolved for a name
 * @param isName whether it is a name that is looked up again and again
 */
record Peer(InetSocketAddress address, boolean isName) {

  private static final String NAME = "dns:";

  /**
   * The peer in "host:port" or "dns:name:port".
   *
   * @throws IllegalArgumentException when it is neither
   */
  static Peer of(String text) {
    if (!text.startsWith(NAME)) {
      return new Peer(SettingsFormat.address(text), false);
    }
    return new Peer(SettingsFormat.name(text.substring(NAME.length())), true);
  }

  @Override
  public String toString() {
    return (isName ? NAME : "") + SettingsFormat.text(address);
  }
}
