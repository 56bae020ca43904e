package io.sluice.accept;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;

/**
 * Names the origin of client connections, to which limits per address apply. This is an IPv4
 * address or the /64 network of an IPv6 address, as a host can use any address of its network.
 * Stateless.
 */
final class Origin {

  private static final int NETWORK_BYTES = 8;

  private Origin() {}

  /** Returns the origin of a connection with this remote address. */
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
