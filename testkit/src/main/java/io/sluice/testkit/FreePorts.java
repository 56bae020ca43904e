package io.sluice.testkit;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;

/** TCP ports of the loopback address that nothing listens on. Safe for any thread. */
public final class FreePorts {

  private FreePorts() {}

  /**
   * A port that was free a moment ago. Another process may take it before the caller does.
   *
   * @throws IOException if the system has none left
   */
  public static int next() throws IOException {
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return free.getLocalPort();
    }
  }
}
