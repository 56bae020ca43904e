package io.sluice.evaluate.bed;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DriverException;
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
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A cluster with its rows and all targets, ready to be asked. {@link #close} ends what was started
 * and removes what was made. Used by one thread.
 */
public final class TestBed implements AutoCloseable {
  private static final String KEYSPACE = "sluice_evaluate";

  /** Name and password of new nodes' superuser. */
  private static final String SUPERUSER = "cassandra";

  /** For an endpoint of others to find the nodes, which may have been started after it. */
  private static final Duration PATIENCE = Duration.ofMinutes(2);

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
   * An endpoint to ask.
   *
   * @param label how reports call it
   * @param session to it
   * @param tables the tables, as it serves them
   * @param endpoint where it is, for further sessions
   * @param watch what its process uses; null if it is none of ours
   */
  public record Target(
      String label,
      CqlSession session,
      Tables tables,
      Endpoint endpoint,
      @Nullable ProxyWatch watch) {}

  /** Makes a keyspace and fills it. */
  public interface Filling {
    /** Does so through a session to the nodes. */
    void fill(CqlSession direct, String replication) throws InterruptedException;
  }

  private TestBed(BedSpec spec, Consumer<String> say, LongConsumer loaded)
      throws InterruptedException {
    this.spec = spec;
    this.say = say;
    requireFreePorts();
    this.cluster = spec.hosts().isEmpty() ? startCluster() : null;
    this.nodes = cluster == null ? spec.hosts() : cluster.contactPoints();
    this.direct = keep(endpoint(nodes, null).open());
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
      for (OtherEndpoint other : spec.others()) {
        bed.add(other);
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
    if (spec.tables() > 1) {
      say.accept("making " + spec.tables() + " tables");
    }
    fill(data, loaded);
  }

  /** Makes further tables and writes their rows. */
  public void fill(Data further, LongConsumer loaded) throws InterruptedException {
    fill(
        further.keyspace(),
        (session, replication) -> {
          Loader loader = new Loader(session, further);
          loader.create(replication);
          loader.load(spec.seed(), loaded);
        });
  }

  /** Makes a further keyspace, which is removed at the end. */
  public void fill(String keyspace, Filling filling) throws InterruptedException {
    if (cluster == null) {
      started.push(() -> direct.execute("DROP KEYSPACE IF EXISTS " + keyspace));
    }
    filling.fill(direct, replication());
    if (cluster != null) {
      for (LocalNode node : cluster.nodes()) {
        node.flush(keyspace);
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
      add(variant.label(), direct, endpoint(nodes, null), null);
      return;
    }
    say.accept("starting " + variant.label() + " on 127.0.0.1:" + port);
    ProxySpec proxySpec =
        new ProxySpec(
            "proxy-" + variant.label(), nodes, datacenter, port, port + 1, variant.settings());
    ProxyProcess proxy =
        keep(
            ProxyProcess.start(
                Objects.requireNonNull(spec.launcher()),
                folder(),
                asksForLogin() ? proxySpec.withLogin(SUPERUSER, SUPERUSER) : proxySpec));
    InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    Endpoint endpoint = endpoint(List.of(address), datacenter);
    add(
        variant.label(),
        keep(endpoint.open()),
        endpoint,
        new ProxyWatch(proxy.handle(), proxy.admin()));
  }

  /** It may need the nodes to come up, which it has not had for long. */
  private void add(OtherEndpoint other) throws InterruptedException {
    say.accept("connecting to " + other.name() + " at " + other.address());
    Endpoint endpoint = endpoint(List.of(other.address()), null);
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (true) {
      try {
        add(other.name(), keep(endpoint.open()), endpoint, null);
        return;
      } catch (DriverException e) {
        if (System.nanoTime() - end > 0) {
          throw new ClusterFailure(
              "%s cannot be used at %s: %s"
                  .formatted(other.name(), other.address(), e.getMessage()),
              e);
        }
        TimeUnit.SECONDS.sleep(1);
      }
    }
  }

  private void add(
      String label, CqlSession session, Endpoint endpoint, @Nullable ProxyWatch watch) {
    targets.add(new Target(label, session, new Tables(session, data), endpoint, watch));
  }

  /** Whether its nodes ask for a login, so that clients can have roles of their own. */
  public boolean asksForLogin() {
    return cluster != null && spec.cluster().auth();
  }

  /** The rows that every target has. */
  public Data data() {
    return data;
  }

  /**
   * The tables, as a target serves them to a role of its own, which may read and write them.
   *
   * @throws IllegalStateException where nodes do not ask for a login
   */
  public Tables as(String role, Target target) {
    if (!asksForLogin()) {
      throw new IllegalStateException("the nodes ask for no login");
    }
    direct.execute(
        "CREATE ROLE IF NOT EXISTS %s WITH PASSWORD = '%s' AND LOGIN = true".formatted(role, role));
    direct.execute("GRANT SELECT ON KEYSPACE %s TO %s".formatted(data.keyspace(), role));
    direct.execute("GRANT MODIFY ON KEYSPACE %s TO %s".formatted(data.keyspace(), role));
    CqlSession session = keep(target.endpoint().withLogin(new Endpoint.Login(role, role)).open());
    return new Tables(session, data);
  }

  private Endpoint endpoint(List<InetSocketAddress> contactPoints, @Nullable String local) {
    Endpoint endpoint = Endpoint.of(contactPoints, local);
    return asksForLogin() ? endpoint.withLogin(new Endpoint.Login(SUPERUSER, SUPERUSER)) : endpoint;
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
