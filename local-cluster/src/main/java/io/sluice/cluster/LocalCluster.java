package io.sluice.cluster;

import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * Unmodified Cassandra nodes on this machine. {@link #close} stops the nodes and removes all their
 * files. When this JVM ends, it does the same to a cluster that it created. Of a cluster that it
 * took over, it stops only the nodes that it started. A {@linkplain #detach detached} cluster
 * outlives the JVM. Safe for any thread, but one at a time for each node.
 */
public final class LocalCluster implements AutoCloseable {
  private static final Duration START_LIMIT = Duration.ofMinutes(3);

  private final ClusterSpec spec;
  private final Consumer<String> progress;
  private final RingPlan ring;
  private final NodeLauncher launcher;
  private final List<LocalNode> nodes = new CopyOnWriteArrayList<>();
  private final boolean created;
  private final List<LocalNode> startedHere = new CopyOnWriteArrayList<>();
  private final EndHook hook = new EndHook("end-local-cluster", this::endAtOnce);
  private volatile boolean closed;
  private volatile boolean kept;

  /**
   * Guards the starts of processes and the writes of the state, so that none follows the end of the
   * JVM: {@link #endAtOnce} must know all processes, and remove all files.
   */
  private final Object starts = new Object();

  private volatile boolean ending;

  private LocalCluster(ClusterSpec spec, boolean created, Consumer<String> progress) {
    this.spec = spec;
    this.created = created;
    this.progress = progress;
    this.ring = new RingPlan(spec, Loopback.hasAddresses(spec.nodes() + 1));
    CassandraJars jars = new CassandraJars(spec.cassandra(), CassandraJars.defaultCache());
    this.launcher = new NodeLauncher(spec, jars.resolve(progress), jars.folder());
    ring.nodes().forEach(plan -> nodes.add(new LocalNode(plan, this)));
  }

  /**
   * Starts a new cluster and waits until every node serves and sees all others. Removes what an
   * earlier cluster that was never detached has left in the folder.
   *
   * @param progress receives messages about the progress, one short line at a time
   * @throws ClusterFailure when a cluster runs in that folder or is kept there, a port is taken, or
   *     a node does not come up; then nothing is left running, but the logs stay
   */
  public static LocalCluster start(ClusterSpec spec, Consumer<String> progress) {
    if (Clusters.anyAlive(spec.dir())) {
      throw conflict("a cluster is running in ", spec, "");
    }
    ClusterFolder.requireOurs(spec.dir());
    if (ClusterState.exists(spec.dir()) && ClusterState.read(spec.dir()).kept()) {
      throw conflict("a cluster that is not running is kept in ", spec, "");
    }
    return create(spec, progress);
  }

  /**
   * Takes over the cluster in the folder of {@code spec}, running or not, and starts those of its
   * nodes that are down. Starts a new cluster if there is none.
   *
   * @throws ClusterFailure when the cluster there has other settings, a port is taken, or a node
   *     does not come up; an existing cluster stays in the folder
   */
  public static LocalCluster open(ClusterSpec spec, Consumer<String> progress) {
    if (!ClusterState.exists(spec.dir())) {
      ClusterFolder.requireOurs(spec.dir());
      return create(spec, progress);
    }
    ClusterState state = ClusterState.read(spec.dir());
    if (!state.settings().equals(spec.toString())) {
      throw conflict("a cluster with other settings is in ", spec, " or with --fresh");
    }
    LocalCluster cluster = new LocalCluster(spec, false, progress);
    cluster.kept = state.kept();
    for (LocalNode node : cluster.nodes) {
      node.process().attach(state.nodes().get(node.index()).pid());
    }
    Loopback.requireFreePorts(
        cluster.nodes.stream()
            .filter(node -> !node.alive())
            .map(node -> node.process().plan())
            .toList());
    cluster.startMissing();
    return cluster;
  }

  private static LocalCluster create(ClusterSpec spec, Consumer<String> progress) {
    ClusterFolder.remove(spec.dir());
    LocalCluster cluster = new LocalCluster(spec, true, progress);
    Loopback.requireFreePorts(cluster.ring.nodes());
    cluster.startMissing();
    return cluster;
  }

  private static ClusterFailure conflict(String what, ClusterSpec spec, String alternative) {
    return new ClusterFailure(
        what
            + spec.dir()
            + "; choose another --dir, or remove it with: sluice cluster stop --dir "
            + spec.dir()
            + alternative);
  }

  /** Returns the nodes, in the order of their numbers. */
  public List<LocalNode> nodes() {
    return List.copyOf(nodes);
  }

  /** Returns the node with that index, from 0. */
  public LocalNode node(int index) {
    return nodes.get(index);
  }

  /** Returns the addresses at which the nodes listen for CQL. */
  public List<InetSocketAddress> contactPoints() {
    return nodes.stream().map(LocalNode::address).toList();
  }

  /** Returns the data centre of the first node, and of all nodes if there is only one. */
  public String datacenter() {
    return spec.datacenter(0);
  }

  /**
   * Returns a replication map for CREATE KEYSPACE, with the replication factor of the
   * specification.
   */
  public String replication() {
    return "{'class': 'SimpleStrategy', 'replication_factor': " + spec.topology().rf() + "}";
  }

  /** Returns the specification of this cluster. */
  public ClusterSpec spec() {
    return spec;
  }

  /**
   * Starts an additional node, which joins the ring and streams its data, and waits until it
   * serves.
   */
  public synchronized LocalNode addNode() {
    NodePlan plan = ring.addJoining();
    Loopback.requireFreePorts(List.of(plan));
    LocalNode node = new LocalNode(plan, this);
    nodes.add(node);
    startedHere.add(node);
    launch(node.process());
    awaitServing(node);
    return node;
  }

  /** Lets the nodes outlive this JVM. From now on, only {@link #close} removes the cluster. */
  public void detach() {
    kept = true;
    writeState();
    hook.remove();
  }

  /** Whether this JVM is ending, and has ended the nodes that do not outlive it, or will. */
  public boolean ending() {
    return ending;
  }

  /** Stops all nodes and removes their files. A second call does nothing. */
  @Override
  public synchronized void close() {
    if (!closed) {
      closed = true;
      Clusters.end(processes(), spec.dir(), progress);
      hook.remove();
    }
  }

  /**
   * Starts a node's process.
   *
   * @throws ClusterFailure if this JVM is ending; then no process is started
   */
  void launch(NodeProcess node) {
    synchronized (starts) {
      if (ending) {
        throw new ClusterFailure(node.plan().name() + " is not started: this JVM is ending");
      }
      node.started(launcher.launch(node.plan(), ring.seeds()));
    }
  }

  /**
   * Waits until one node serves. If all nodes are up, waits until all of them see each other too.
   */
  void awaitServing(LocalNode node) {
    writeState();
    await(node.process(), () -> Readiness.listens(node.address()));
    if (nodes.stream().allMatch(n -> n.alive() && !n.paused())) {
      awaitWholeRing(nodes);
    }
  }

  private void startMissing() {
    if (!hook.register()) {
      throw new ClusterFailure("no nodes are started: this JVM is ending");
    }
    long began = System.nanoTime();
    List<LocalNode> missing = nodes.stream().filter(n -> !n.alive()).toList();
    if (missing.isEmpty()) {
      return;
    }
    progress.accept(
        "starting " + missing.size() + " × Cassandra " + spec.cassandra() + " in " + spec.dir());
    try {
      startedHere.addAll(missing);
      writeState();
      missing.forEach(node -> launch(node.process()));
      writeState();
      awaitWholeRing(nodes);
    } catch (RuntimeException e) {
      missing.forEach(LocalNode::kill);
      hook.remove();
      throw e;
    }
    long seconds = Duration.ofNanos(System.nanoTime() - began).toSeconds();
    progress.accept(
        nodes.size() + (nodes.size() == 1 ? " node" : " nodes") + " ready after " + seconds + " s");
  }

  private void awaitWholeRing(List<LocalNode> awaited) {
    for (LocalNode node : awaited) {
      await(node.process(), () -> Readiness.listens(node.address()));
    }
    for (LocalNode node : awaited) {
      await(node.process(), () -> seesWholeRing(node.address()));
    }
  }

  /** A kept cluster may have another superuser, so that a node refuses ours. */
  private boolean seesWholeRing(InetSocketAddress node) {
    int peers = nodes.size() - 1;
    return kept
        ? Readiness.seesWholeRingOrRefuses(node, peers)
        : Readiness.seesWholeRing(node, peers);
  }

  /** Waits for a condition of one node. Throws a failure if any node ends meanwhile. */
  private void await(NodeProcess awaited, BooleanSupplier condition) {
    List<NodeProcess> running =
        processes().stream().filter(p -> p.alive() || p == awaited).toList();
    boolean ready =
        Waiting.until(
            START_LIMIT,
            () -> {
              running.forEach(NodeProcess::requireAlive);
              return condition.getAsBoolean();
            });
    if (!ready) {
      throw new ClusterFailure(
          awaited.plan().name()
              + " is not ready after "
              + START_LIMIT.toSeconds()
              + " s. "
              + awaited.readTheLog());
    }
  }

  private List<NodeProcess> processes() {
    return nodes.stream().map(LocalNode::process).toList();
  }

  private void writeState() {
    List<ClusterState.Entry> entries = new ArrayList<>();
    for (LocalNode node : nodes) {
      NodePlan plan = node.process().plan();
      entries.add(new ClusterState.Entry(plan.host(), plan.port(), plan.storagePort(), node.pid()));
    }
    synchronized (starts) {
      if (!ending) {
        new ClusterState(spec.toString(), kept, entries).write(spec.dir());
      }
    }
  }

  private void endAtOnce() {
    synchronized (starts) {
      ending = true;
    }
    if (closed) {
      // The thread that closes the cluster may not come to its nodes any more.
      NodeProcess.killAll(processes());
    } else if (created && !kept) {
      NodeProcess.killAll(processes());
      ClusterFolder.remove(spec.dir());
    } else {
      NodeProcess.killAll(startedHere.stream().map(LocalNode::process).toList());
    }
  }
}
