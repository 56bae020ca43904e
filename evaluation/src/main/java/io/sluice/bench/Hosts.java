package io.sluice.bench;

import io.sluice.cluster.HostPort;
import io.sluice.rawcql.RawCql;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.List;
import picocli.CommandLine.Option;

/** The options that name the hosts to measure, and the login there. */
final class Hosts {
  private static final int TIMEOUT_MILLIS = 20_000;

  @Option(
      names = "--hosts",
      required = true,
      split = ",",
      paramLabel = "HOST:PORT",
      description = "a node, then Sluice or other hosts, separated by commas")
  private List<String> names = List.of();

  @Option(names = "--protocol", paramLabel = "V", description = "native protocol version: 4 or 5")
  private int protocol = 5;

  @Option(names = "--user", description = "user name, if the host asks for a login")
  private String user = "cassandra";

  @Option(names = "--password", description = "password, if the host asks for a login")
  private String password = "cassandra";

  /** Returns the hosts as the user gave them. */
  List<String> names() {
    return names;
  }

  /** Returns the addresses of the hosts. */
  List<InetSocketAddress> addresses() {
    return names.stream().map(name -> HostPort.of("--hosts", name)).toList();
  }

  /** Opens a connection that is ready for queries. */
  RawCql connect(InetSocketAddress address) throws IOException {
    require(protocol == 4 || protocol == 5, "--protocol: 4 or 5");
    try {
      return RawCql.connect(address, protocol, TIMEOUT_MILLIS, user, password);
    } catch (IOException e) {
      throw new IOException(address + ": " + e.getMessage(), e);
    }
  }

  static void require(boolean holds, String otherwise) {
    if (!holds) {
      throw new IllegalArgumentException(otherwise);
    }
  }
}
