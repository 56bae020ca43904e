package io.sluice.server;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.loadbalancing.NodeDistance;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/** A session of the Java driver with one proxy, for {@code system_proxy}. */
final class ConsoleSession {

  /** The address without one. */
  static final String DEFAULT = "127.0.0.1:9042";

  private static final int DEFAULT_PORT = 9042;

  private ConsoleSession() {}

  /**
   * Opens one. Its statements go to this proxy, also where there are others.
   *
   * @param address {@code HOST} or {@code HOST:PORT}
   * @param username the role; null for none. Its password is taken from SLUICE_PASSWORD
   * @param application as the proxy's {@code clients} shows it
   */
  static CqlSession open(String address, @Nullable String username, String application) {
    int colon = address.lastIndexOf(':');
    String host = colon < 0 ? address : address.substring(0, colon);
    int port = colon < 0 ? DEFAULT_PORT : Integer.parseInt(address.substring(colon + 1));
    InetSocketAddress proxy = new InetSocketAddress(host, port);
    return ToolSession.builder(application, username)
        .addContactPoint(proxy)
        .withNodeDistanceEvaluator(
            (node, datacenter) ->
                node.getEndPoint().resolve().equals(proxy) ? null : NodeDistance.IGNORED)
        .build();
  }
}
