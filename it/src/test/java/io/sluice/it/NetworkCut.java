package io.sluice.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Drops the packets between processes of one group of the system and some addresses, in both
 * directions, by rules of iptables in a chain of its own. {@link #close} removes it.
 */
final class NetworkCut implements AutoCloseable {

  private static final Path SETPRIV = Path.of("/usr/bin/setpriv");
  private static final Path IPTABLES = Path.of("/usr/sbin/iptables");
  private static final String CHAIN = "sluice-cut";

  private int mark;

  private NetworkCut() {}

  /** Whether this process may add rules, and start processes of another group. */
  static boolean isPossible() throws IOException, InterruptedException {
    return Files.isExecutable(SETPRIV)
        && Files.isExecutable(IPTABLES)
        && run("-S OUTPUT").status() == 0;
  }

  /** Returns a cut that drops nothing yet. */
  static NetworkCut open() throws IOException, InterruptedException {
    change("-N " + CHAIN);
    change("-I OUTPUT -j " + CHAIN);
    return new NetworkCut();
  }

  /** Returns the start of a command line whose process belongs to a group. */
  static List<String> inGroup(int group) {
    return List.of(SETPRIV.toString(), "--regid", Integer.toString(group), "--clear-groups");
  }

  /**
   * Drops the packets of connections that processes of a group have opened to these addresses, or
   * try to open. A connection keeps the mark of a cut, so each cut has another one.
   */
  void cut(int group, List<InetSocketAddress> addresses) throws IOException, InterruptedException {
    mark++;
    for (InetSocketAddress each : addresses) {
      change(
          "-A %s -p tcp -m owner --gid-owner %d -d %s --dport %d -j CONNMARK --set-mark %d"
              .formatted(CHAIN, group, each.getHostString(), each.getPort(), mark));
    }
    change("-A %s -m connmark --mark %d -j DROP".formatted(CHAIN, mark));
  }

  /** Lets all packets through. */
  void mend() throws IOException, InterruptedException {
    change("-F " + CHAIN);
  }

  @Override
  public void close() throws IOException {
    try {
      change("-D OUTPUT -j " + CHAIN);
      mend();
      change("-X " + CHAIN);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted; the chain " + CHAIN + " of iptables may be left", e);
    }
  }

  private static void change(String rule) throws IOException, InterruptedException {
    Clients.Ended ended = run(rule);
    assertThat(ended.status()).as("%s: %s", rule, ended.errors()).isZero();
  }

  private static Clients.Ended run(String rule) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of(IPTABLES.toString(), "-w"));
    command.addAll(List.of(rule.split(" ", -1)));
    return Clients.run(command, Path.of("."));
  }
}
