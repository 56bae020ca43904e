package io.sluice;

import io.micrometer.core.instrument.MeterRegistry;
import io.sluice.accept.ClientListener;
import io.sluice.console.Console;
import io.sluice.console.HostView;
import io.sluice.console.HostView.Configuration;
import io.sluice.console.LiveConfig;
import io.sluice.fleet.PeerWatch;
import io.sluice.link.LinkPool;
import io.sluice.ring.Node;
import io.sluice.ring.Ring;
import io.sluice.time.SystemTime;
import io.sluice.trace.Tracer;
import io.sluice.watch.Cluster;
import io.sluice.wire.EventLoops;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A running proxy. Safe for any thread. */
public final class Proxy implements AutoCloseable {

  /** How long a drain waits until the fleet's table shows that this proxy leaves. */
  private static final Duration LEAVE_WITHIN = Duration.ofSeconds(1);

  /** The steps that announce the shutdown to clients and to other proxies. */
  record Departure(Runnable clients, Runnable learned, PeerWatch proxies) {}

  private final EventLoops loops;
  private final LinkPool links;
  private final Cluster cluster;
  private final ClientListener listener;
  private final Console console;
  private final Departure departure;
  private final Runnable closing;
  private volatile boolean draining;

  Proxy(
      EventLoops loops,
      LinkPool links,
      Cluster cluster,
      ClientListener listener,
      Console console,
      Departure departure,
      Runnable closing) {
    this.departure = departure;
    this.loops = loops;
    this.links = links;
    this.cluster = cluster;
    this.listener = listener;
    this.console = console;
    this.closing = closing;
  }

  /**
   * Binds the CQL port and waits for the cluster. Returns when the proxy serves clients.
   *
   * @param registry receives the metrics
   * @throws IOException when the port cannot be bound or the cluster cannot be used; the message
   *     says which, and what to do
   */
  public static Proxy start(ProxyConfig config, MeterRegistry registry) throws IOException {
    return start(config, registry, reason -> {}, HostView.NONE);
  }

  /**
   * Starts a proxy in a host process. Until the cluster is connected, clients wait briefly in their
   * handshake.
   *
   * @param waiting is called about once a second with the reason why the cluster cannot be used yet
   * @param host the host's data for {@code system_proxy}
   */
  public static Proxy start(
      ProxyConfig config, MeterRegistry registry, Consumer<String> waiting, HostView host)
      throws IOException {
    return start(config, registry, waiting, host, null);
  }

  /**
   * Starts a proxy in a host process, with tracing.
   *
   * @param tracer decides which requests are traced; null when tracing is off
   */
  public static Proxy start(
      ProxyConfig config,
      MeterRegistry registry,
      Consumer<String> waiting,
      HostView host,
      @Nullable Tracer tracer)
      throws IOException {
    return ProxyAssembly.start(config, registry, waiting, host, tracer);
  }

  /** Returns the address for clients, with the port that was actually bound. */
  public InetSocketAddress address() {
    return listener.address();
  }

  /**
   * Runs a SELECT from {@code system_proxy} as an operator.
   *
   * @param select the statement, without bind markers
   * @param then is called once, on this thread or a thread of the proxy, with a JSON array of one
   *     object per row
   * @throws IllegalArgumentException when the statement is no such SELECT
   */
  public void select(String select, Consumer<String> then) {
    console.json(select, loops.anyLane(), then);
  }

  /**
   * Ends a request in flight: its client gets an error, and its slots are free at once.
   *
   * @param id the id in the table {@code requests}
   * @param operator the operator, for the request's client and for the log
   * @param then is called once, on a thread of the proxy: whether the request was still in flight
   */
  public void end(long id, String operator, Consumer<Boolean> then) {
    console.end(id, operator, loops.anyLane(), then);
  }

  /**
   * Changes a setting for an operator, until the process ends. Blocks while other settings are
   * changed.
   *
   * @param value the value as in the configuration file; null to restore the value of the file
   * @param operator the operator, for the log
   * @return the reason why the change is refused; null on success
   */
  public @Nullable String set(String key, @Nullable String value, String operator) {
    return console.set(key, value, operator);
  }

  /**
   * Completes a hand-over of the port from the previous process. If {@code cql.handover} is set,
   * another process of this host can take the port over from now on. Called once.
   *
   * @param taken is called once, on a thread of the proxy, when the next process serves and this
   *     one must drain
   */
  public void serves(Runnable taken) {
    listener.serves(taken);
  }

  /** Describes the cluster: its name, the local data centre, and how many of its nodes are up. */
  public String cluster() {
    Ring ring = cluster.view().ring();
    long up = ring.local().stream().filter(Node::up).count();
    return cluster.clusterName()
        + ", data centre "
        + ring.localDatacenter()
        + ", "
        + up
        + " of "
        + ring.local().size()
        + " nodes up";
  }

  /**
   * Applies new settings. Queued requests are reordered by the new settings; requests in flight
   * keep the old ones.
   *
   * @throws io.sluice.setting.RefusedSettings when they do not fit the cluster; nothing has changed
   *     then
   */
  public void apply(LiveConfig next) {
    console.apply(next);
  }

  /** Records in the audit log that the configuration file was reloaded. */
  public void reloaded(Configuration now) {
    console.reloaded(now);
  }

  /** Returns null while the proxy can serve requests, else the reason why it cannot. */
  public @Nullable String notReady() {
    if (draining) {
      return "draining";
    }
    Ring ring = cluster.view().ring();
    return ring.local().stream().anyMatch(Node::up)
        ? null
        : "no node of " + ring.localDatacenter() + " is up";
  }

  /**
   * Stops accepting connections, notifies registered clients, and waits until the requests in
   * flight are answered. Later requests are refused, so that drivers retry at another host.
   *
   * @param atMost the longest wait
   * @return whether all connections have closed in time
   * @throws InterruptedException when interrupted while waiting
   */
  public boolean drain(Duration atMost) throws InterruptedException {
    draining = true;
    // First, so that other proxies send no pieces of range reads that would be refused.
    departure.proxies().leave(LEAVE_WITHIN);
    if (!listener.isHandedOver()) {
      departure.clients().run();
    }
    listener.drain();
    departure.learned().run();
    return new SystemTime().await(() -> listener.connections() == 0, atMost);
  }

  /** Closes everything at once. */
  @Override
  public void close() {
    draining = true;
    listener.close();
    links.close();
    closing.run();
    loops.close();
  }
}
