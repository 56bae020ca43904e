package io.sluice.cluster;

import java.net.InetSocketAddress;

/** The addresses that are given on command lines, as HOST:PORT. Safe for any thread. */
public final class HostPort {
  private static final int MOST = 65_535;

  private HostPort() {}

  /**
   * The address that is written there.
   *
   * @param option the option it was given with, for the message when it is none
   */
  public static InetSocketAddress of(String option, String text) {
    int colon = text.lastIndexOf(':');
    String port = text.substring(colon + 1);
    if (colon < 1 || !port.matches("[0-9]{1,5}") || Integer.parseInt(port) > MOST) {
      throw new IllegalArgumentException(option + ": '" + text + "' is not HOST:PORT");
    }
    return new InetSocketAddress(text.substring(0, colon), Integer.parseInt(port));
  }
}
