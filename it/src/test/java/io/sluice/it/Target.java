package io.sluice.it;

import java.net.InetSocketAddress;
import java.util.regex.Pattern;

/**
 * An endpoint that a script talks to.
 *
 * @param name how it is called in messages
 * @param isProxy whether Sluice is in between
 * @param address where it listens
 * @param prefix keeps the keyspaces of both targets apart; equally long for both, because sizes in
 *     bytes are part of some messages
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

  /** The keyspace of this target for a script. */
  String keyspace(String script) {
    return prefix + script;
  }

  /** The text with all that may differ between targets replaced by words. */
  String normalise(String text) {
    String named =
        text.replace(host() + ":" + port(), "<server>")
            .replace(Integer.toString(port()), "<port>")
            .replace(prefix, "<ks>_");
    return STATEMENT_ID.matcher(named).replaceAll("statement id: <id>");
  }
}
