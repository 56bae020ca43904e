package io.sluice.server.tool;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.loadbalancing.NodeDistance;
import io.sluice.server.settings.SettingsFormat;
import java.net.InetSocketAddress;
import picocli.CommandLine;

/** Opens sessions of the Java driver with one proxy, for {@code system_proxy}. Stateless. */
final class ConsoleSession {

  /** The default address. */
  static final String DEFAULT = "127.0.0.1:9042";

  private ConsoleSession() {}

  /** Parses the proxy's address on the command line: HOST, HOST:PORT or [IPV6]:PORT. */
  static final class Address implements CommandLine.ITypeConverter<InetSocketAddress> {

    @Override
    public InetSocketAddress convert(String text) {
      try {
        return SettingsFormat.address(text);
      } catch (IllegalArgumentException e) {
        throw new CommandLine.TypeConversionException("'" + text + "' is not HOST:PORT");
      }
    }
  }

  /**
   * Opens a session. All its statements go to this proxy, even if there are others.
   *
   * @param application the name in the proxy's table {@code clients}
   */
  static CqlSession open(InetSocketAddress proxy, LoginOptions login, String application) {
    return login
        .session(application)
        .addContactPoint(proxy)
        .withNodeDistanceEvaluator(
            (node, datacenter) ->
                node.getEndPoint().resolve().equals(proxy) ? null : NodeDistance.IGNORED)
        .build();
  }
}
