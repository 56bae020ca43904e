package io.sluice.torture.load;

import com.datastax.oss.driver.api.core.metadata.Node;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;

/** The text of addresses in a history, the same for the targets of faults and of requests. */
final class Addresses {
  private Addresses() {}

  static String text(InetSocketAddress address) {
    InetAddress ip = address.getAddress();
    return (ip == null ? address.getHostString() : ip.getHostAddress()) + ":" + address.getPort();
  }

  static String text(Node node) {
    SocketAddress address = node.getEndPoint().resolve();
    return address instanceof InetSocketAddress known ? text(known) : address.toString();
  }
}
