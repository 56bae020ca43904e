package io.sluice.torture;

import io.sluice.cluster.Loopback;
import io.sluice.cluster.ProxyProcess;
import io.sluice.cluster.ProxySpec;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/**
 * The proxies of one cluster, as processes. {@link #close} stops them. Several threads may use it,
 * but only one thread at a time each proxy.
 */
final class ProxyGroup implements Proxies, AutoCloseable {
  /** Settings with small pieces, so that scans of small tables have many. */
  private static final String SETTINGS =
      "split: {targetPartitions: 50, minRows: 20, maxSubRequests: 8}\n";

  private final Plan plan;
  private final List<InetSocketAddress> nodes;
  private final String datacenter;
  private final ProxyProcess[] processes;
  private final AtomicInteger started = new AtomicInteger();

  /**
   * Creates a group without processes.
   *
   * @param nodes contact points of the proxies
   */
  ProxyGroup(Plan plan, List<InetSocketAddress> nodes, String datacenter) {
    this.plan = plan;
    this.nodes = List.copyOf(nodes);
    this.datacenter = datacenter;
    this.processes = new ProxyProcess[plan.proxies()];
  }

  /** Throws a failure if another program uses a port of the proxies. */
  static void requireFreePorts(Plan plan) {
    for (int i = 0; i < plan.proxies(); i++) {
      Loopback.requireFree(port(plan, i), "--port");
      Loopback.requireFree(port(plan, i) + 1, "--port");
    }
  }

  private static int port(Plan plan, int number) {
    return plan.firstPort() + 2 * number;
  }

  /**
   * Starts all proxies. If they have homes, creates the keyspace of the fleet before.
   *
   * @param copies number of copies of that keyspace's rows
   */
  void startAll(int copies, Consumer<String> say) throws InterruptedException {
    if (plan.homes()) {
      ProxyProcess.initFleet(launcher(), plan.dir(), spec(0, "fleet"), copies);
    }
    for (int i = 0; i < plan.proxies(); i++) {
      say.accept("starting Sluice on 127.0.0.1:" + port(plan, i));
      start(i);
    }
  }

  @Override
  public void start(int number) throws InterruptedException {
    String name = "proxy-" + (number + 1) + "-" + started.incrementAndGet();
    processes[number] = ProxyProcess.start(launcher(), plan.dir(), spec(number, name));
  }

  private Path launcher() {
    return Objects.requireNonNull(plan.launcher());
  }

  ProxySpec spec(int number, String name) {
    int port = port(plan, number);
    List<InetSocketAddress> peers =
        IntStream.range(0, plan.proxies())
            .filter(i -> i != number)
            .mapToObj(i -> InetSocketAddress.createUnresolved("127.0.0.1", port(plan, i)))
            .toList();
    ProxySpec spec = new ProxySpec(name, nodes, datacenter, port, port + 1, SETTINGS);
    return plan.homes() ? spec.inFleet().withHomes() : spec.withPeers(peers);
  }

  @Override
  public InetSocketAddress address(int number) {
    return new InetSocketAddress(InetAddress.getLoopbackAddress(), port(plan, number));
  }

  @Override
  public void kill(int number) throws InterruptedException {
    processes[number].kill();
  }

  @Override
  public void stop(int number) {
    processes[number].close();
  }

  @Override
  public void pause(int number) {
    processes[number].pause();
  }

  @Override
  public void resume(int number) {
    processes[number].resume();
  }

  /**
   * Returns contact points for each session of the clients: all proxies together, then each proxy.
   * Without proxies, three sessions connect to the nodes.
   */
  List<List<InetSocketAddress>> contactPoints() {
    if (plan.proxies() == 0) {
      return List.of(nodes, nodes, nodes);
    }
    List<InetSocketAddress> all =
        IntStream.range(0, plan.proxies()).mapToObj(this::address).toList();
    List<List<InetSocketAddress>> points = new ArrayList<>();
    points.add(all);
    all.forEach(proxy -> points.add(List.of(proxy)));
    return points;
  }

  @Override
  public void close() {
    for (ProxyProcess each : processes) {
      if (each != null && each.handle().isAlive()) {
        each.close();
      }
    }
  }
}
