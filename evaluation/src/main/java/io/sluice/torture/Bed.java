package io.sluice.torture;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.config.DriverConfigLoader;
import io.sluice.cluster.ClusterSpec;
import io.sluice.cluster.LocalCluster;
import io.sluice.cluster.LocalNode;
import io.sluice.cluster.TimerSlack;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

/**
 * The nodes and the proxies, as processes. {@link #close} stops them. Several threads may inject
 * faults, but only one thread at a time into each node or proxy.
 */
final class Bed implements Processes, AutoCloseable {
  private static final int REPLICAS = 3;
  private static final int VNODES = 4;
  private static final Duration TIMER_SLACK = Duration.ofMillis(2);
  private static final Duration TIMEOUT = Duration.ofSeconds(90);
  private static final Duration SCHEMA_TIMEOUT = Duration.ofMinutes(5);

  private final Plan plan;
  private final LocalCluster cluster;
  private final CqlSession direct;
  private final ProxyGroup proxies;
  private final Agreement agreement;

  private Bed(Plan plan, LocalCluster cluster) throws InterruptedException {
    this.plan = plan;
    this.cluster = cluster;
    this.direct = open(cluster);
    this.proxies =
        new ProxyGroup(
            plan, cluster.contactPoints().subList(0, plan.nodes()), cluster.datacenter());
    this.agreement = new Agreement(this::members);
  }

  /** Starts nodes and proxies. If this fails, it stops those that have started. */
  static Bed start(Plan plan, Consumer<String> say) throws InterruptedException {
    ProxyGroup.requireFreePorts(plan);
    LocalCluster cluster = LocalCluster.start(nodes(plan), say);
    Bed bed = null;
    try {
      bed = new Bed(plan, cluster);
      bed.proxies.startAll(REPLICAS, say);
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
        // Leaves processor time to nodes and proxies that start.
        .withPrefix(TimerSlack.prefix(TIMER_SLACK))
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

  /** Returns contact points for each session of the clients. */
  List<List<InetSocketAddress>> contactPoints() {
    return proxies.contactPoints();
  }

  @Override
  public Fault.Place targets() {
    return plan.proxies() == 0 ? Fault.Place.NODES : Fault.Place.PROXIES;
  }

  @Override
  public InetSocketAddress address(int node) {
    return cluster.node(node).address();
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
  public Proxies proxies() {
    return proxies;
  }

  /** Returns the first nodes, and a joined node that has not left. */
  private List<Agreement.Member> members() {
    return cluster.nodes().stream()
        .filter(node -> node.index() < plan.nodes() || node.alive())
        .map(node -> new Agreement.Member(node.toString(), node.address()))
        .toList();
  }

  @Override
  public void awaitWholeRing() throws InterruptedException {
    agreement.awaitWholeRing(TIMEOUT);
  }

  @Override
  public void awaitOneSchema() throws InterruptedException {
    agreement.awaitOneSchema(SCHEMA_TIMEOUT);
  }

  @Override
  public void close() {
    direct.close();
    proxies.close();
    cluster.close();
  }
}
