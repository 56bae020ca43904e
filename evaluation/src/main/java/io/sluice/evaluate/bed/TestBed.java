package io.sluice.evaluate.bed;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DriverException;
import io.sluice.cluster.ClusterFailure;
import io.sluice.cluster.LocalCluster;
import io.sluice.cluster.LocalNode;
import io.sluice.cluster.Loopback;
import io.sluice.cluster.ProxyProcess;
import io.sluice.cluster.ProxySpec;
import io.sluice.cluster.TemporaryKeyspaces;
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
 * A cluster with its rows, and all targets, ready for requests. {@link #close} stops the processes
 * and removes the data that this object has created; so does an earlier end of the JVM. Not safe
 * for several threads.
 */
public final class TestBed implements AutoCloseable {
  private static final String KEYSPACE = "sluice_evaluate";

  /** User name and password of the superuser of new nodes. */
  private static final String SUPERUSER = "cassandra";

  /** Time within which another endpoint must find the nodes, which may have started after it. */
  private static final Duration TIMEOUT = Duration.ofMinutes(2);

  private final BedSpec spec;
  private final Consumer<String> say;
  private final Deque<AutoCloseable> started;
  private final List<Target> targets = new ArrayList<>();
  private final @Nullable LocalCluster cluster;
  private final CqlSession direct;
  private final @Nullable TemporaryKeyspaces keyspaces;
  private final ClusterMetadata metadata;
  private final Data data;
  private final List<InetSocketAddress> nodes;
  private final String datacenter;

  /**
   * An endpoint to measure.
   *
   * @param label name in reports
   * @param session session to the endpoint
   * @param tables the tables, read and written through this session
   * @param endpoint address and login, for further sessions
   * @param watch reads the resource use of its process; null if the evaluation did not start it
   */
  public record Target(
      String label,
      CqlSession session,
      Tables tables,
      Endpoint endpoint,
      @Nullable ProxyWatch watch) {}

  /** Creates a keyspace and fills it. */
  public interface Filling {
    /** Creates and fills the keyspace through a session to the nodes. */
    void fill(CqlSession direct, String replication) throws InterruptedException;
  }

  /**
   * Starts the nodes.
   *
   * @param started gets each part as soon as it is started
   */
  private TestBed(BedSpec spec, Consumer<String> say, Deque<AutoCloseable> started) {
    this.spec = spec;
    this.say = say;
    this.started = started;
    requireFreePorts();
    this.cluster = spec.hosts().isEmpty() ? startCluster() : null;
    this.nodes = cluster == null ? spec.hosts() : cluster.contactPoints();
    CqlSession session = keep(endpoint(nodes, null).open());
    this.direct = session;
    this.metadata = new ClusterMetadata(session);
    metadata.require(spec.cluster().topology().partitioner());
    this.datacenter = metadata.datacenter();
    this.keyspaces =
        cluster == null
            ? keep(
                TemporaryKeyspaces.in(
                    cql -> session.execute(Loader.schemaChange(session, cql)), say))
            : null;
    this.data = new Data(KEYSPACE, spec.tables(), spec.rows() / spec.tables(), metadata::token);
  }

  /**
   * Starts nodes and proxies, and loads the rows.
   *
   * @param say receives a line for each step
   * @param loaded receives the number of rows written so far
   */
  public static TestBed start(BedSpec spec, Consumer<String> say, LongConsumer loaded)
      throws InterruptedException {
    Deque<AutoCloseable> started = new ArrayDeque<>();
    try {
      TestBed bed = new TestBed(spec, say, started);
      bed.load(loaded);
      for (int i = 0; i < spec.variants().size(); i++) {
        bed.add(spec.variants().get(i), spec.firstPort() + 2 * i);
      }
      for (OtherEndpoint other : spec.others()) {
        bed.add(other);
      }
      return bed;
    } catch (RuntimeException | InterruptedException e) {
      closeAll(started, say);
      throw e;
    }
  }

  /** Returns the targets, in the order of the spec. */
  public List<Target> targets() {
    return List.copyOf(targets);
  }

  /** Returns the release version of the nodes. */
  public String cassandraVersion() {
    return metadata.cassandraVersion();
  }

  /** Returns the name of the nodes' partitioner. */
  public String partitioner() {
    return metadata.partitioner();
  }

  /** Returns the number of nodes. */
  public int nodes() {
    return metadata.nodes();
  }

  /**
   * Restarts nodes of this cluster that have ended, and waits until every target uses them again.
   * The next measurement thus has all nodes.
   *
   * @param told receives a description of each ended node with the end of its log, before its
   *     restart
   * @return whether a node had ended
   * @throws ClusterFailure if a node does not come up again, or a target does not see it in time
   */
  public boolean startEndedNodes(Consumer<String> told) throws InterruptedException {
    return cluster != null && new EndedNodes(cluster, direct, targets, say).start(told);
  }

  /**
   * Collects the garbage of the clients and of the nodes that this object started, so that no
   * collection of older garbage disturbs the next load. Skips nodes that have ended.
   */
  public void collectGarbage() {
    System.gc();
    if (cluster != null) {
      cluster.nodes().forEach(TestBed::collectGarbage);
    }
  }

  /** Collects the garbage of a node, which may end meanwhile or have ended before. */
  private static void collectGarbage(LocalNode node) {
    try {
      node.collectGarbage();
    } catch (ClusterFailure e) {
      if (node.alive()) {
        throw e;
      }
    }
  }

  /** Stops everything in reverse order of its start, and removes the rows. */
  @Override
  public void close() {
    closeAll(started, say);
  }

  private static void closeAll(Deque<AutoCloseable> started, Consumer<String> say) {
    while (!started.isEmpty()) {
      try {
        started.pop().close();
      } catch (Exception e) {
        say.accept("cannot stop a part of the test bed: " + e.getMessage());
      }
    }
  }

  private LocalCluster startCluster() {
    return keep(LocalCluster.start(spec.cluster(), say));
  }

  private void load(LongConsumer loaded) throws InterruptedException {
    if (spec.tables() > 1) {
      say.accept("creating " + spec.tables() + " tables");
    }
    fill(data, loaded);
  }

  /** Creates further tables and writes their rows. */
  public void fill(Data further, LongConsumer loaded) throws InterruptedException {
    fill(
        further.keyspace(),
        (session, replication) -> {
          Loader loader = new Loader(session, further);
          loader.create(replication);
          loader.load(spec.seed(), loaded);
        });
  }

  /** Creates a further keyspace, which {@link #close} or an earlier end of the JVM removes. */
  public void fill(String keyspace, Filling filling) throws InterruptedException {
    if (keyspaces != null) {
      keyspaces.add(keyspace);
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

  /**
   * Connects to another endpoint. Retries, because the endpoint may still wait for the new nodes.
   */
  private void add(OtherEndpoint other) throws InterruptedException {
    say.accept("connecting to " + other.name() + " at " + other.address());
    Endpoint endpoint = endpoint(List.of(other.address()), null);
    long end = System.nanoTime() + TIMEOUT.toNanos();
    while (true) {
      try {
        add(other.name(), keep(endpoint.open()), endpoint, null);
        return;
      } catch (DriverException e) {
        if (System.nanoTime() - end > 0) {
          throw new ClusterFailure(
              "cannot connect to %s at %s: %s"
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

  /**
   * Whether the nodes were started with a required login, so that clients can have different roles.
   */
  public boolean asksForLogin() {
    return cluster != null && spec.cluster().config().auth();
  }

  /** Returns the tables of every target. */
  public Data data() {
    return data;
  }

  /**
   * Returns the tables, read and written through a target by a role of its own. Creates the role.
   *
   * @throws IllegalStateException if the nodes do not require a login
   */
  public Tables as(String role, Target target) {
    if (!asksForLogin()) {
      throw new IllegalStateException("the nodes do not require a login");
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

  private void requireFreePorts() {
    for (int i = 0; i < spec.variants().size(); i++) {
      if (spec.variants().get(i).hasProxy()) {
        if (spec.launcher() == null) {
          throw new ClusterFailure(
              "start the evaluation with ./sluice, which also starts the proxies");
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

  private <T extends AutoCloseable> T keep(T resource) {
    started.push(resource);
    return resource;
  }
}
