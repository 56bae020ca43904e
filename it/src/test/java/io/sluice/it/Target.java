package io.sluice.it;

import java.net.InetSocketAddress;
import java.util.regex.Pattern;

/**
 * An endpoint for scripts.
 *
 * @param name name in messages
 * @param isProxy whether it is Sluice
 * @param address its CQL address
 * @param prefix prefix that separates the keyspaces of both targets; of equal length, because some
 *     messages contain sizes in bytes
 */
record Target(String name, boolean isProxy, InetSocketAddress address, String prefix) {
  /** Prepared ids depend on the keyspace's name. */
  private static final Pattern STATEMENT_ID = Pattern.compile("statement id: [0-9a-f]{32}");

  String host() {
    return address.getHostString();
  }

  int port() {
    return address.getPort();
  }

  /** Returns the keyspace of this target for a script. */
  String keyspace(String script) {
    return prefix + script;
  }

  /** Replaces the parts of a text that may differ between targets. */
  String normalise(String text) {
    String named =
        text.replace(host() + ":" + port(), "<server>")
            .replace(Integer.toString(port()), "<port>")
            .replace(prefix, "<ks>_");
    return STATEMENT_ID.matcher(named).replaceAll("statement id: <id>");
  }
}
