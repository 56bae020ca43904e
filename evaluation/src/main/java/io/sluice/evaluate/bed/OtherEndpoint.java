package io.sluice.evaluate.bed;

import io.sluice.cluster.HostPort;
import java.net.InetSocketAddress;

/**
 * A target before the same nodes that runs already, such as another proxy.
 *
 * @param name how the report calls it
 * @param address where it takes CQL
 */
public record OtherEndpoint(String name, InetSocketAddress address) {
  /**
   * The endpoint that is written as NAME=HOST:PORT.
   *
   * @param option the option it was given with, for the message when it is none
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
