package io.sluice.torture;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.config.DriverConfigLoader;
import io.sluice.cluster.ClusterFailure;
import io.sluice.cluster.ClusterSpec;
import io.sluice.cluster.LocalCluster;
import io.sluice.cluster.LocalNode;
import io.sluice.cluster.Loopback;
import io.sluice.cluster.ProxyProcess;
import io.sluice.cluster.ProxySpec;
import io.sluice.cluster.Readiness;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/**
 * The nodes and the proxies, as processes. {@link #close} stops them. Several threads may inject
 * faults, but only one thread at a time into each node or proxy.
 */
final class Bed implements Processes, AutoCloseable {
  private static final int REPLICAS = 3;
  private static final int VNODES = 4;
  private static final Duration TIMEOUT = Duration.ofSeconds(90);
  private static final Duration SCHEMA_TIMEOUT = Duration.ofMinutes(5);
  private static final long STEP_MILLIS = 200;

  /** Settings with small pieces, so that scans of small tables have many. */
  private static final String SETTINGS =
      "split: {targetPartitions: 50, minRows: 20, maxSubRequests: 8}\n";

  private final Plan plan;
  private final LocalCluster cluster;
  private final CqlSession direct;
  private final ProxyProcess[] proxies;
  private int started;

  private Bed(Plan plan, LocalCluster cluster) throws InterruptedException {
    this.plan = plan;
    this.cluster = cluster;
    this.direct = open(cluster);
    this.proxies = new ProxyProcess[plan.proxies()];
  }

  /** Starts nodes and proxies. If this fails, it stops those that have started. */
  static Bed start(Plan plan, Consumer<String> say) throws InterruptedException {
    for (int i = 0; i < plan.proxies(); i++) {
      Loopback.requireFree(port(plan, i), "--port");
      Loopback.requireFree(port(plan, i) + 1, "--port");
    }
    LocalCluster cluster = LocalCluster.start(nodes(plan), say);
    Bed bed = null;
    try {
      bed = new Bed(plan, cluster);
      if (plan.homes()) {
        ProxyProcess.initFleet(launcher(plan), plan.dir(), bed.proxy(0, "fleet"), REPLICAS);
      }
      for (int i = 0; i < plan.proxies(); i++) {
        say.accept("starting Sluice on 127.0.0.1:" + port(plan, i));
        bed.startProxy(i);
      }
      return bed;
    } catch (RuntimeException | InterruptedException e) {
      if (bed == null) {
        cluster.close();
      } else {
        bed.close();
      }
      throw e;
    }
  }

  /**
   * Returns nodes that sync each acknowledged write, so that a node has it after {@code kill -9}.
   */
  private static ClusterSpec nodes(Plan plan) {
    return ClusterSpec.defaults()
        .withDir(plan.dir().resolve("cluster"))
        .withNodes(plan.nodes(), REPLICAS)
        .withVnodes(VNODES)
        .withPorts(plan.clusterPort(), plan.storagePort())
        // Faster restarts: the nodes are killed again and again.
        .withJvmArg("-XX:TieredStopAtLevel=1")
        .withYaml("commitlog_sync", "batch")
        .withYaml("commitlog_sync_period", "0ms")
        .withYaml("auto_snapshot", false);
  }

  private static CqlSession open(LocalCluster cluster) {
    return CqlSession.builder()
        .addContactPoints(cluster.contactPoints())
        .withLocalDatacenter(cluster.datacenter())
        .withConfigLoader(
            DriverConfigLoader.programmaticBuilder()
                .withDuration(DefaultDriverOption.CONTROL_CONNECTION_TIMEOUT, TIMEOUT)
                .withDuration(DefaultDriverOption.METADATA_SCHEMA_REQUEST_TIMEOUT, TIMEOUT)
                .withInt(DefaultDriverOption.NETTY_IO_SIZE, 1)
                .withInt(DefaultDriverOption.NETTY_ADMIN_SIZE, 1)
                .build())
        .build();
  }

  /** Returns a session to the nodes. */
  CqlSession direct() {
    return direct;
  }

  LocalCluster cluster() {
    return cluster;
  }

  /**
   * Returns contact points for each session of the clients: all proxies together, then each proxy.
   */
  List<List<InetSocketAddress>> contactPoints() {
    if (proxies.length == 0) {
      return List.of(firstNodes(), firstNodes(), firstNodes());
    }
    List<InetSocketAddress> all =
        IntStream.range(0, proxies.length)
            .mapToObj(i -> new InetSocketAddress(InetAddress.getLoopbackAddress(), port(plan, i)))
            .toList();
    List<List<InetSocketAddress>> points = new ArrayList<>();
    points.add(all);
    all.forEach(proxy -> points.add(List.of(proxy)));
    return points;
  }

  /** Returns the contact points of the first nodes, which never leave the cluster. */
  private List<InetSocketAddress> firstNodes() {
    return cluster.contactPoints().subList(0, plan.nodes());
  }

  @Override
  public Fault.Place targets() {
    return proxies.length == 0 ? Fault.Place.NODES : Fault.Place.PROXIES;
  }

  @Override
  public void kill(int node) {
    cluster.node(node).kill();
  }

  @Override
  public void restart(int node) throws InterruptedException {
    cluster.node(node).start();
    awaitWholeRing();
  }

  @Override
  public void pause(int node) {
    cluster.node(node).pause();
  }

  @Override
  public void resume(int node) throws InterruptedException {
    cluster.node(node).resume();
    awaitWholeRing();
  }

  @Override
  public void resumeAtOnce(int node) {
    cluster.node(node).resume();
  }

  @Override
  public void cutGossip(int node) {
    cluster.node(node).stopGossip();
  }

  @Override
  public void restoreGossip(int node) throws InterruptedException {
    cluster.node(node).startGossip();
    awaitWholeRing();
  }

  @Override
  public int join() throws InterruptedException {
    LocalNode joined = cluster.addNode();
    awaitWholeRing();
    return joined.index();
  }

  @Override
  public void decommission(int node) throws InterruptedException {
    cluster.node(node).decommission();
    awaitWholeRing();
  }

  @Override
  public void closeToClients(int node) {
    cluster.node(node).closeToClients();
  }

  @Override
  public void openToClients(int node) throws InterruptedException {
    cluster.node(node).openToClients();
    awaitWholeRing();
  }

  @Override
  public void killProxy(int number) throws InterruptedException {
    proxies[number].kill();
  }

  @Override
  public void stopProxy(int number) {
    proxies[number].close();
  }

  @Override
  public void startProxy(int number) throws InterruptedException {
    started++;
    String name = "proxy-" + (number + 1) + "-" + started;
    proxies[number] = ProxyProcess.start(launcher(plan), plan.dir(), proxy(number, name));
  }

  private static Path launcher(Plan plan) {
    return Objects.requireNonNull(plan.launcher());
  }

  private ProxySpec proxy(int number, String name) {
    int port = port(plan, number);
    List<Integer> peers =
        IntStream.range(0, proxies.length)
            .filter(i -> i != number)
            .mapToObj(i -> port(plan, i))
            .toList();
    ProxySpec spec =
        new ProxySpec(name, firstNodes(), cluster.datacenter(), port, port + 1, peers, SETTINGS);
    return plan.homes() ? spec.inFleet().withHomes() : spec;
  }

  @Override
  public void pauseProxy(int number) {
    proxies[number].pause();
  }

  @Override
  public void resumeProxy(int number) {
    proxies[number].resume();
  }

  /** Returns the first nodes, and a joined node that has not left. */
  private List<LocalNode> members() {
    return cluster.nodes().stream()
        .filter(node -> node.index() < plan.nodes() || node.alive())
        .toList();
  }

  @Override
  public void awaitWholeRing() throws InterruptedException {
    List<LocalNode> members = members();
    for (LocalNode node : members) {
      await(
          node + " does not see all others",
          TIMEOUT,
          () -> Readiness.seesWholeRing(node.address(), members.size() - 1));
    }
  }

  @Override
  public void awaitOneSchema() throws InterruptedException {
    await("no schema agreement", SCHEMA_TIMEOUT, this::hasOneSchema);
  }

  private boolean hasOneSchema() {
    List<Optional<ByteBuffer>> versions =
        members().stream().map(node -> Readiness.schemaVersion(node.address())).toList();
    return versions.stream().allMatch(Optional::isPresent)
        && versions.stream().distinct().count() == 1;
  }

  private static void await(String otherwise, Duration timeout, BooleanSupplier condition)
      throws InterruptedException {
    long end = System.nanoTime() + timeout.toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - end > 0) {
        throw new ClusterFailure(otherwise + " after " + timeout.toSeconds() + " s");
      }
      TimeUnit.MILLISECONDS.sleep(STEP_MILLIS);
    }
  }

  @Override
  public void close() {
    direct.close();
    for (ProxyProcess proxy : proxies) {
      if (proxy != null && proxy.handle().isAlive()) {
        proxy.close();
      }
    }
    cluster.close();
  }

  private static int port(Plan plan, int number) {
    return plan.firstPort() + 2 * number;
  }
}
