package io.sluice.cluster;

import java.net.InetSocketAddress;

/** Parses addresses on command lines, as HOST:PORT. Safe for any thread. */
public final class HostPort {
  private static final int MAX_PORT = 65_535;

  private HostPort() {}

  /**
   * Parses an address. The name is resolved.
   *
   * @param option the option with the address, for the error message
   * @throws IllegalArgumentException when the text is not HOST:PORT, or the name is unknown
   */
  public static InetSocketAddress of(String option, String text) {
    int colon = text.lastIndexOf(':');
    String port = text.substring(colon + 1);
    if (colon < 1 || !port.matches("[0-9]{1,5}") || Integer.parseInt(port) > MAX_PORT) {
      throw new IllegalArgumentException(option + ": '" + text + "' is not HOST:PORT");
    }
    InetSocketAddress address =
        new InetSocketAddress(text.substring(0, colon), Integer.parseInt(port));
    if (address.isUnresolved()) {
      throw new IllegalArgumentException(
          option + ": the host " + address.getHostString() + " is unknown");
    }
    return address;
  }
}
