package io.sluice.demo;

import io.sluice.cluster.LocalCluster;
import io.sluice.cluster.Loopback;
import io.sluice.cluster.ProxyProcess;
import io.sluice.cluster.ProxySpec;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** The Sluice processes of the demo: one, or a fleet. Not safe for several threads. */
final class DemoProxies implements AutoCloseable {

  /** Number of ports that each proxy uses: CQL and admin. */
  private static final int PORTS_EACH = 2;

  private final List<ProxyProcess> running = new ArrayList<>();
  private final List<InetSocketAddress> addresses = new ArrayList<>();

  private DemoProxies() {}

  /**
   * The ports of a proxy.
   *
   * @param cql its CQL port
   * @param admin its admin port
   */
  record Ports(int cql, int admin) {

    /** Returns the ports of {@code count} proxies; the first uses these ports. */
    List<Ports> following(int count) {
      List<Ports> all = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        all.add(new Ports(cql + PORTS_EACH * i, admin + PORTS_EACH * i));
      }
      return all;
    }

    void requireFree() {
      Loopback.requireFree(cql, "--port");
      Loopback.requireFree(admin, "--admin-port");
    }
  }

  /**
   * Starts the proxies one after another.
   *
   * @param homes whether range reads queue at the home proxies of their nodes
   * @param say receives a line for each step
   */
  static DemoProxies start(
      Path launcher, LocalCluster cluster, List<Ports> ports, boolean homes, Consumer<String> say)
      throws InterruptedException {
    DemoProxies proxies = new DemoProxies();
    try {
      for (Ports each : ports) {
        ProxySpec alone = ProxySpec.before(cluster, each.cql(), each.admin());
        ProxySpec spec = ports.size() == 1 ? alone : alone.inFleet();
        proxies.add(launcher, cluster, homes && spec.fleet() ? spec.withHomes() : spec, say);
      }
      return proxies;
    } catch (RuntimeException | InterruptedException e) {
      proxies.close();
      throw e;
    }
  }

  private void add(Path launcher, LocalCluster cluster, ProxySpec spec, Consumer<String> say)
      throws InterruptedException {
    Path dir = cluster.spec().dir();
    if (spec.fleet() && running.isEmpty()) {
      say.accept("creating the keyspace of the fleet");
      ProxyProcess.initFleet(launcher, dir, spec, Math.min(3, cluster.nodes().size()));
    }
    say.accept("starting Sluice on 127.0.0.1:" + spec.port());
    ProxyProcess process = ProxyProcess.start(launcher, dir, spec);
    running.add(process);
    addresses.add(new InetSocketAddress(InetAddress.getLoopbackAddress(), spec.port()));
    say.accept("live page: " + process.admin() + "/");
  }

  /** Returns the CQL addresses of the proxies. */
  List<InetSocketAddress> addresses() {
    return List.copyOf(addresses);
  }

  /** Returns the processes of the proxies. */
  List<ProcessHandle> handles() {
    return running.stream().map(ProxyProcess::handle).toList();
  }

  /** Returns the first proxy. */
  ProxyProcess first() {
    return running.get(0);
  }

  /** Returns a line for each proxy after the first, with the command that kills it. */
  List<String> killCommands() {
    List<String> lines = new ArrayList<>();
    for (int i = 1; i < running.size(); i++) {
      lines.add(
          "kill -9 "
              + running.get(i).handle().pid()
              + " for the proxy at port "
              + addresses.get(i).getPort());
    }
    return lines;
  }

  @Override
  public void close() {
    running.forEach(ProxyProcess::close);
  }
}
