package io.sluice.watch;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Resolves contact points. Stateless. */
final class ContactPoints {

  private static final Logger LOG = LoggerFactory.getLogger(ContactPoints.class);

  private ContactPoints() {}

  /**
   * Returns the current addresses of these contact points: all addresses of each name, of the IP
   * version that the system prefers for it. A name that cannot be resolved stays unresolved. May
   * block.
   */
  static List<InetSocketAddress> resolved(List<InetSocketAddress> points) {
    List<InetSocketAddress> addresses = new ArrayList<>();
    for (InetSocketAddress point : points) {
      try {
        InetAddress[] all = InetAddress.getAllByName(point.getHostString());
        for (InetAddress each : all) {
          if (each.getClass() == all[0].getClass()) {
            addresses.add(new InetSocketAddress(each, point.getPort()));
          }
        }
      } catch (UnknownHostException e) {
        addresses.add(point);
      }
    }
    return addresses;
  }

  /** Logs each name that {@link #resolved} could not resolve. */
  static void warnOfUnresolved(List<InetSocketAddress> addresses) {
    for (InetSocketAddress each : addresses) {
      if (each.isUnresolved()) {
        LOG.warn("The contact point {} cannot be resolved", each.getHostString());
      }
    }
  }
}
