package io.sluice.testkit;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;

/** Finds free TCP ports of the loopback address. Safe for any thread. */
public final class FreePorts {

  private FreePorts() {}

  /**
   * Returns a port that was free a moment ago. Another process may take it before the caller does.
   *
   * @throws IOException if the system has no free port
   */
  public static int next() throws IOException {
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return free.getLocalPort();
    }
  }
}
