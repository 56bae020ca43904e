package io.sluice.testkit;

import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Finds free TCP ports of the loopback address. They are below the range from which the system
 * takes ports for connections and for port 0, so that no other test gets one by chance. Safe for
 * any thread.
 */
public final class FreePorts {
  private static final int FIRST = 24_200;
  private static final int COUNT = 3_700;

  /** Starts at random, because several JVMs run tests at once. */
  private static final AtomicInteger NEXT =
      new AtomicInteger(ThreadLocalRandom.current().nextInt(COUNT));

  private FreePorts() {}

  /**
   * Returns a port that was free a moment ago, and that this JVM has not got from here lately.
   *
   * @throws IOException if no port is free
   */
  public static int next() throws IOException {
    for (int i = 0; i < COUNT; i++) {
      int port = FIRST + Math.floorMod(NEXT.getAndIncrement(), COUNT);
      if (isFree(port)) {
        return port;
      }
    }
    throw new BindException("no port from " + FIRST + " to " + (FIRST + COUNT - 1) + " is free");
  }

  private static boolean isFree(int port) throws IOException {
    try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
      return socket.isBound();
    } catch (BindException e) {
      return false;
    }
  }
}
