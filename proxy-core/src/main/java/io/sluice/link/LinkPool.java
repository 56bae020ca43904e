package io.sluice.link;

import io.sluice.link.Link.LinkWaiter;
import io.sluice.memory.ArrivingAnswer;
import io.sluice.memory.MemoryBudget;
import io.sluice.ring.Node;
import io.sluice.ring.NodeId;
import io.sluice.time.Lane;
import io.sluice.time.NanoClock;
import io.sluice.time.OnLanes;
import io.sluice.tls.Tls;
import io.sluice.wire.EventLoops;
import io.sluice.wire.FrameHandlers;
import io.sluice.wire.Framing;
import io.sluice.wire.Identity;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * The links to all nodes. Each lane has its own links, so using a link never changes threads. A
 * broken link to a suspect node is reopened with backoff, for some minutes. Safe for any thread,
 * except where a method names a lane.
 */
public final class LinkPool implements Links, LinkOpener, AutoCloseable {

  /** The frame limit for responses. The memory budget sets a lower one in most processes. */
  private static final int MAX_ANSWER_BYTES = 512 << 20;

  private final EventLoops loops;
  private final LinkTarget target;
  private final NodeConnector connector;
  private final LinkConfig config;
  private final MemoryBudget memory;
  private final NanoClock clock;
  private final SuspectListener suspects;
  private final ConcurrentHashMap<Lane, LaneLinks> byLane = new ConcurrentHashMap<>();
  private final ConcurrentHashMap<NodeId, NodePulse> pulses = new ConcurrentHashMap<>();
  private final AtomicInteger lanes = new AtomicInteger();
  private volatile boolean closed;

  /**
   * Creates a pool that opens no link yet.
   *
   * @param memory the budget against which arriving responses count
   */
  public LinkPool(
      EventLoops loops,
      LinkTarget target,
      Tls tls,
      LinkConfig config,
      MemoryBudget memory,
      NanoClock clock,
      SuspectListener suspects) {
    this.memory = memory;
    this.loops = loops;
    this.target = target;
    this.connector = new NodeConnector(loops::forNodes, tls, () -> closed);
    this.config = config;
    this.clock = clock;
    this.suspects = suspects;
  }

  @Override
  public void acquire(Lane lane, Node node, LinkKey key, LinkWaiter waiter) {
    if (closed) {
      lane.execute(() -> waiter.failed(LinkFailure.unreachable("Sluice is stopping")));
      return;
    }
    of(lane).acquire(node, key, waiter);
  }

  private LaneLinks of(Lane lane) {
    LaneLinks known = byLane.get(lane);
    return known != null
        ? known
        : byLane.computeIfAbsent(lane, each -> new LaneLinks(this, each, lanes.getAndIncrement()));
  }

  /**
   * Opens a separate connection for a client's handshake, on which nothing was sent. Fails when the
   * node does not accept within {@link LinkConfig#suspectAfter}. Called on {@code lane}.
   */
  public void open(Lane lane, Node node, int version, LinkWaiter waiter) {
    connect(
        lane, node, version, config.suspectAfter(), (link, framing) -> waiter.ready(link), waiter);
  }

  @Override
  public void openReady(Lane lane, Node node, LinkKey key, LinkWaiter waiter) {
    connect(
        lane,
        node,
        key.version(),
        config.connectTimeout(),
        (link, framing) -> NodeHandshake.start(link, target, key, framing, config, lane, waiter),
        waiter);
  }

  private interface Connected {
    void connected(Link link, Framing framing);
  }

  private void connect(
      Lane lane, Node node, int version, Duration timeout, Connected connected, LinkWaiter waiter) {
    connector.connect(
        lane,
        node,
        timeout,
        channel -> {
          Framing framing =
              FrameHandlers.install(channel.pipeline(), Framing.Side.CLIENT, MAX_ANSWER_BYTES);
          channel
              .pipeline()
              .addLast("link-memory", new UnfinishedAnswers(framing, new ArrivingAnswer(memory)));
          Link link =
              new Link(pulse(node.id()), version, channel, lane, clock, config, memory.count());
          channel.pipeline().addLast("link", link);
          connected.connected(link, framing);
          return link;
        },
        waiter);
  }

  @Override
  public LinkConfig config() {
    return config;
  }

  @Override
  public NodePulse pulse(NodeId node) {
    return pulses.computeIfAbsent(node, id -> new NodePulse(id, config, clock, suspects));
  }

  /**
   * Tries nodes periodically until this pool is closed, and makes those usable that log it in.
   *
   * @param self the identity of the proxy at nodes
   * @param nodes returns the nodes that get no requests; called on a lane
   */
  public void tryPeriodically(Identity self, Supplier<List<Node>> nodes) {
    new NodeTrials(this, loops.anyLane(), self, nodes, () -> closed).begin();
  }

  /** Returns how many links are open. */
  public int size() {
    return byLane.values().stream().mapToInt(LaneLinks::size).sum();
  }

  /**
   * Collects the facts of all links, each on its own lane.
   *
   * @param to the lane on which {@code then} is called, once
   */
  public void facts(Lane to, Consumer<List<LinkFacts>> then) {
    OnLanes.<LaneLinks, List<LinkFacts>>collect(
        byLane.values(),
        LaneLinks::lane,
        LaneLinks::facts,
        to,
        all -> then.accept(all.stream().flatMap(List::stream).toList()));
  }

  /** Closes all links. */
  @Override
  public void close() {
    closed = true;
    byLane.forEach((lane, links) -> lane.run(links::close));
  }
}
