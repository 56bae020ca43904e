package io.sluice.accept;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;

/**
 * Names what counts as one address of clients: an IPv4 address, or the 64 bits of an IPv6 address
 * that name its network, since each host can take any of the others. Stateless.
 */
final class Origin {

  private static final int NETWORK_BYTES = 8;

  private Origin() {}

  /** The name for a connection's other end. */
  static String of(SocketAddress remote) {
    if (!(remote instanceof InetSocketAddress address)) {
      return String.valueOf(remote);
    }
    InetAddress ip = address.getAddress();
    return ip instanceof Inet6Address ? network(ip.getAddress()) : address.getHostString();
  }

  private static String network(byte[] address) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < NETWORK_BYTES; i += 2) {
      text.append(Integer.toHexString(((address[i] & 0xFF) << 8) | (address[i + 1] & 0xFF)));
      text.append(':');
    }
    return text.append(":/64").toString();
  }
}
