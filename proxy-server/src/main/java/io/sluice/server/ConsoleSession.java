package io.sluice.server;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.loadbalancing.NodeDistance;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/** Opens sessions of the Java driver with one proxy, for {@code system_proxy}. Stateless. */
final class ConsoleSession {

  /** The default address. */
  static final String DEFAULT = "127.0.0.1:9042";

  private static final int DEFAULT_PORT = 9042;

  private ConsoleSession() {}

  /**
   * Opens a session. All its statements go to this proxy, even if there are others.
   *
   * @param address {@code HOST} or {@code HOST:PORT}
   * @param username the role; null for none. Its password is read from SLUICE_PASSWORD
   * @param application the name in the proxy's table {@code clients}
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
