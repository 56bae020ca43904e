package io.sluice.evaluate.bed;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.metadata.Node;
import com.datastax.oss.driver.api.core.metadata.TokenMap;
import io.sluice.cluster.ClusterFailure;
import io.sluice.cluster.ClusterPartitioner;
import io.sluice.cluster.LocalCluster;
import io.sluice.cluster.LocalNode;
import io.sluice.cluster.Loopback;
import io.sluice.cluster.ProxyProcess;
import io.sluice.cluster.ProxySpec;
import io.sluice.evaluate.drive.Data;
import io.sluice.evaluate.drive.Loader;
import io.sluice.evaluate.drive.Tables;
import io.sluice.load.Endpoint;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A cluster with its rows and all targets, ready to be asked. {@link #close} ends what was started
 * and removes what was made. Used by one thread.
 */
public final class TestBed implements AutoCloseable {
  private static final String KEYSPACE = "sluice_evaluate";

  private final BedSpec spec;
  private final Consumer<String> say;
  private final Deque<AutoCloseable> started = new ArrayDeque<>();
  private final List<Target> targets = new ArrayList<>();
  private final @Nullable LocalCluster cluster;
  private final CqlSession direct;
  private final Data data;
  private final List<InetSocketAddress> nodes;
  private final String datacenter;

  /**
   * Someone to ask.
   *
   * @param variant what it is
   * @param tables the tables, as it serves them
   * @param watch what its process uses; null if it is none of ours
   */
  public record Target(Variant variant, Tables tables, @Nullable ProxyWatch watch) {}

  private TestBed(BedSpec spec, Consumer<String> say, LongConsumer loaded)
      throws InterruptedException {
    this.spec = spec;
    this.say = say;
    requireFreePorts();
    this.cluster = spec.hosts().isEmpty() ? startCluster() : null;
    this.nodes = cluster == null ? spec.hosts() : cluster.contactPoints();
    this.direct = keep(Endpoint.of(nodes, null).open());
    requirePartitioner();
    this.datacenter = datacenter(direct);
    this.data =
        new Data(KEYSPACE, spec.tables(), spec.rows() / spec.tables(), tokens(direct)::newToken);
    load(loaded);
  }

  /**
   * Starts everything and loads the rows.
   *
   * @param say told one line at a time what goes on
   * @param loaded told how many rows are written
   */
  public static TestBed start(BedSpec spec, Consumer<String> say, LongConsumer loaded)
      throws InterruptedException {
    TestBed bed = null;
    try {
      bed = new TestBed(spec, say, loaded);
      for (int i = 0; i < spec.variants().size(); i++) {
        bed.add(spec.variants().get(i), spec.firstPort() + 2 * i);
      }
      return bed;
    } catch (RuntimeException | InterruptedException e) {
      if (bed != null) {
        bed.close();
      }
      throw e;
    }
  }

  /** The targets, in the order of the spec. */
  public List<Target> targets() {
    return List.copyOf(targets);
  }

  /** The version the nodes run. */
  public String cassandraVersion() {
    return Objects.requireNonNull(
        Objects.requireNonNull(direct.execute("SELECT release_version FROM system.local").one())
            .getString(0));
  }

  /** The nodes' partitioner. */
  public String partitioner() {
    return tokens(direct).getPartitionerName();
  }

  /** How many nodes there are. */
  public int nodes() {
    return direct.getMetadata().getNodes().size();
  }

  /**
   * Starts nodes of its own again that have ended, and waits until every target asks them again, so
   * that what is measured next is measured on all nodes.
   *
   * @param told of each node that has ended, before it is started: which it is, and its last words
   * @return whether there was one
   * @throws ClusterFailure where a node does not come up again, or a target does not see it in time
   */
  public boolean startEndedNodes(Consumer<String> told) throws InterruptedException {
    return cluster != null && new EndedNodes(cluster, direct, targets, say).start(told);
  }

  /**
   * Collects the garbage of the clients and of nodes of its own, so that nothing is measured while
   * they clear away what another has left. A node that has ended is left out.
   */
  public void collectGarbage() {
    System.gc();
    if (cluster != null) {
      cluster.nodes().forEach(TestBed::collectGarbage);
    }
  }

  /** It may have ended, now or before. */
  private static void collectGarbage(LocalNode node) {
    try {
      node.collectGarbage();
    } catch (ClusterFailure e) {
      if (node.alive()) {
        throw e;
      }
    }
  }

  /** Ends everything that was started, last first, and removes the rows. */
  @Override
  public void close() {
    while (!started.isEmpty()) {
      try {
        started.pop().close();
      } catch (Exception e) {
        say.accept("could not be ended: " + e.getMessage());
      }
    }
  }

  private LocalCluster startCluster() {
    return keep(LocalCluster.start(spec.cluster(), say));
  }

  private void load(LongConsumer loaded) throws InterruptedException {
    Loader loader = new Loader(direct, data);
    if (spec.tables() > 1) {
      say.accept("making " + spec.tables() + " tables");
    }
    loader.create(replication());
    if (cluster == null) {
      started.push(() -> direct.execute("DROP KEYSPACE IF EXISTS " + KEYSPACE));
    }
    loader.load(spec.seed(), loaded);
    if (cluster != null) {
      for (LocalNode node : cluster.nodes()) {
        node.flush(KEYSPACE);
        node.refreshEstimates();
      }
    }
  }

  private String replication() {
    return cluster != null
        ? cluster.replication()
        : "{'class': 'NetworkTopologyStrategy', '" + datacenter + "': " + spec.replicas() + "}";
  }

  private void add(Variant variant, int port) throws InterruptedException {
    if (!variant.hasProxy()) {
      targets.add(new Target(variant, new Tables(direct, data), null));
      return;
    }
    say.accept("starting " + variant.label() + " on 127.0.0.1:" + port);
    ProxyProcess proxy =
        keep(
            ProxyProcess.start(
                Objects.requireNonNull(spec.launcher()),
                folder(),
                new ProxySpec(
                    "proxy-" + variant.label(),
                    nodes,
                    datacenter,
                    port,
                    port + 1,
                    variant.settings())));
    InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    CqlSession session = keep(Endpoint.of(List.of(address), datacenter).open());
    targets.add(
        new Target(
            variant, new Tables(session, data), new ProxyWatch(proxy.handle(), proxy.admin())));
  }

  /** Nodes that run already have theirs; only data for the byte-ordered one needs that very one. */
  private void requirePartitioner() {
    if (spec.cluster().partitioner() == ClusterPartitioner.BYTEORDERED
        && !partitioner().endsWith("ByteOrderedPartitioner")) {
      throw new ClusterFailure(
          "the nodes of --hosts use "
              + partitioner()
              + ", and the paper's data a byte-ordered one");
    }
  }

  private void requireFreePorts() {
    for (int i = 0; i < spec.variants().size(); i++) {
      if (spec.variants().get(i).hasProxy()) {
        if (spec.launcher() == null) {
          throw new ClusterFailure(
              "the evaluation has to be started by ./sluice, which also starts the proxies");
        }
        Loopback.requireFree(spec.firstPort() + 2 * i, "--port");
        Loopback.requireFree(spec.firstPort() + 2 * i + 1, "--port");
      }
    }
  }

  private Path folder() {
    try {
      return Files.createDirectories(spec.proxyFolder());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static TokenMap tokens(CqlSession session) {
    return session
        .getMetadata()
        .getTokenMap()
        .orElseThrow(() -> new ClusterFailure("the cluster did not tell its tokens"));
  }

  private static String datacenter(CqlSession session) {
    return session.getMetadata().getNodes().values().stream()
        .map(Node::getDatacenter)
        .filter(Objects::nonNull)
        .findFirst()
        .orElseThrow(() -> new ClusterFailure("no node tells its data centre"));
  }

  private <T extends AutoCloseable> T keep(T resource) {
    started.push(resource);
    return resource;
  }
}
