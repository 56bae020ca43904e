package io.sluice.cluster;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;

/** Checks which loopback addresses and ports a process can bind on this machine. Stateless. */
public final class Loopback {
  private Loopback() {}

  /**
   * Whether 127.0.0.1 to 127.0.0.{@code nodes} can all be bound. False if SLUICE_ONE_ADDRESS is
   * set.
   */
  static boolean hasAddresses(int nodes) {
    if (System.getenv("SLUICE_ONE_ADDRESS") != null) {
      return false;
    }
    for (int i = 1; i <= nodes; i++) {
      if (!canBind(new InetSocketAddress("127.0.0." + i, 0))) {
        return false;
      }
    }
    return true;
  }

  /** Throws a failure if another program uses this port of 127.0.0.1. */
  public static void requireFree(int port, String option) {
    if (!canBind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port))) {
      throw new ClusterFailure(
          "in use by another program: port "
              + port
              + ". Nothing was started. Stop that program or choose "
              + option
              + ".");
    }
  }

  /** Throws a failure that names every port of these nodes that another program uses. */
  static void requireFreePorts(List<NodePlan> plans) {
    List<String> taken = new ArrayList<>();
    for (NodePlan plan : plans) {
      if (!canBind(plan.address())) {
        taken.add(plan.host() + ":" + plan.port() + " (native port of " + plan.name() + ")");
      }
      if (!canBind(new InetSocketAddress(plan.host(), plan.storagePort()))) {
        taken.add(
            plan.host() + ":" + plan.storagePort() + " (storage port of " + plan.name() + ")");
      }
    }
    if (!taken.isEmpty()) {
      throw new ClusterFailure(
          "in use by another program: "
              + String.join(", ", taken)
              + ". Nothing was started. Stop that program or choose --port and --storage-port.");
    }
  }

  private static boolean canBind(InetSocketAddress address) {
    try (ServerSocket socket = new ServerSocket()) {
      socket.setReuseAddress(true);
      socket.bind(address, 1);
      return InetAddress.getByName(address.getHostString()).isLoopbackAddress();
    } catch (IOException e) {
      return false;
    }
  }
}
