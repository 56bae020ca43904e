package io.sluice.watch;

import io.sluice.time.NanoClock;
import io.sluice.tls.Tls;
import io.sluice.wire.SchemaChange;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The driver's session, and its replacement when no node has been up for a while. The driver
 * follows a cluster from node to node, but does not return to the contact points. It never finds a
 * cluster whose nodes all have new addresses.
 *
 * <p>{@link #current} is safe for any thread; all else happens on one lane, which never waits.
 */
final class SessionRenewal implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(SessionRenewal.class);

  private final ClusterConfig config;
  private final Tls tls;
  private final ClusterIdentity identity;
  private final Consumer<SchemaChange> events;
  private final WatchThread thread;
  private final Outage outage = new Outage();
  private volatile DriverSession session;
  private volatile boolean closed;
  private boolean opening;

  /**
   * Starts with a connected session.
   *
   * @param identity the cluster that the session is connected to
   * @param events receives each schema event of every session
   */
  SessionRenewal(
      ClusterConfig config,
      Tls tls,
      ClusterIdentity identity,
      DriverSession first,
      Consumer<SchemaChange> events,
      WatchThread thread) {
    this.config = config;
    this.tls = tls;
    this.identity = identity;
    this.session = first;
    this.events = events;
    this.thread = thread;
  }

  DriverSession current() {
    return session;
  }

  /** Reconnects through the contact points when no node has been up for a while. */
  void renewIfLost(boolean anyUp, NanoClock clock) {
    if (outage.seen(anyUp, clock.nanoTime()) && !opening) {
      opening = true;
      LOG.warn(
          "No node of {} has been up for {} s: reconnecting through cluster.contactPoints",
          config.localDatacenter(),
          TimeUnit.NANOSECONDS.toSeconds(Outage.RECONNECT_NANOS));
      Thread opener = new Thread(this::open, "sluice-connect");
      opener.setDaemon(true);
      opener.start();
    }
  }

  /** Opens the new session. Blocks, so it runs on its own thread. */
  private void open() {
    DriverSession next = null;
    boolean same = false;
    try {
      List<InetSocketAddress> points = ContactPoints.resolved(config.contactPoints());
      ContactPoints.warnOfUnresolved(points);
      next = DriverSession.open(config, tls, points, events);
      requireSameCluster(next);
      same = true;
    } catch (IOException | RuntimeException e) {
      LOG.warn("Reconnecting failed: {}", e.getMessage());
    } finally {
      if (next != null && !same) {
        next.close();
      }
      hand(same ? next : null);
    }
  }

  private void requireSameCluster(DriverSession next) throws IOException {
    ClusterIdentity found = ClusterIdentity.read(next, config);
    if (!found.sameCluster(identity)) {
      throw new IOException(
          "cluster.contactPoints lead to another cluster, %s: restart Sluice to serve it"
              .formatted(found));
    }
    next.requireSchema();
    if (!ClusterIds.of(next.metadata()).mayBe(ClusterIds.of(session.metadata()))) {
      throw new IOException(
          "cluster.contactPoints lead to another cluster named %s, with none of the known nodes"
                  .formatted(found.name())
              + " and tables: restart Sluice to serve it");
    }
  }

  private void hand(@Nullable DriverSession next) {
    try {
      thread.execute(() -> replace(next));
    } catch (RejectedExecutionException closing) {
      if (next != null) {
        next.close();
      }
    }
  }

  private void replace(@Nullable DriverSession next) {
    opening = false;
    if (next != null) {
      DriverSession before = session;
      session = next;
      before.close();
      LOG.info("Reconnected to {}", identity.name());
      if (closed) {
        next.close();
      }
    }
  }

  @Override
  public void close() {
    closed = true;
    session.close();
  }
}
