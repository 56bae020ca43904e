package io.sluice.evaluate.bed;

import io.sluice.cluster.HostPort;
import java.net.InetSocketAddress;

/**
 * A running target in front of the same nodes, such as another proxy.
 *
 * @param name name in the report
 * @param address its CQL address
 */
public record OtherEndpoint(String name, InetSocketAddress address) {
  /**
   * Parses an endpoint given as NAME=HOST:PORT.
   *
   * @param option name of the option, for the error message
   */
  public static OtherEndpoint of(String option, String text) {
    int equals = text.indexOf('=');
    if (equals < 1) {
      throw new IllegalArgumentException(option + ": '" + text + "' is not NAME=HOST:PORT");
    }
    return new OtherEndpoint(
        text.substring(0, equals).strip(), HostPort.of(option, text.substring(equals + 1)));
  }
}
