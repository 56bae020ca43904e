package io.sluice.exchange.range;

import io.sluice.decide.schedule.SchedulerSnapshot.NodeState;
import io.sluice.decide.schedule.SchedulingConfig.Mode;
import io.sluice.exchange.ExchangeConfig;
import io.sluice.exchange.ProxyContext;
import io.sluice.execute.dispatch.Attempt;
import io.sluice.execute.dispatch.AttemptListener;
import io.sluice.execute.dispatch.Dispatcher;
import io.sluice.execute.dispatch.PreparedTexts;
import io.sluice.fleet.HomeChoice;
import io.sluice.fleet.Homes;
import io.sluice.link.LinkKey;
import io.sluice.link.LinkPool;
import io.sluice.link.SuspectListener;
import io.sluice.meter.HomeMeters;
import io.sluice.ring.Node;
import io.sluice.ring.NodeId;
import io.sluice.time.Lane;
import io.sluice.time.NanoClock;
import io.sluice.wire.Frame;
import java.util.List;
import java.util.function.Function;

/**
 * The home proxies as pieces use them: at which proxy each waits, and the way there. Safe for any
 * thread.
 */
public final class PieceHomes implements AutoCloseable {

  private final Dispatcher dispatcher;
  private final HomeHealth health;
  private final HomeMeters meters;
  private final Runnable closing;

  /**
   * Knows the homes that the settings tell.
   *
   * @param dispatcher sends to proxies
   * @param health told by its links
   */
  PieceHomes(Dispatcher dispatcher, HomeHealth health, HomeMeters meters, Runnable closing) {
    this.dispatcher = dispatcher;
    this.health = health;
    this.meters = meters;
    this.closing = closing;
  }

  /**
   * The same over links of its own.
   *
   * @param links makes the links to proxies, which tell what they hear of these
   * @param texts of prepared statements that a home may not know
   */
  public static PieceHomes over(
      Function<SuspectListener, LinkPool> links,
      PreparedTexts texts,
      NanoClock clock,
      HomeMeters meters) {
    HomeHealth health = new HomeHealth(clock);
    LinkPool pool = links.apply(health);
    return new PieceHomes(new Dispatcher(pool, texts), health, meters, pool::close);
  }

  /** Closes the links to proxies. */
  @Override
  public void close() {
    closing.run();
  }

  HomeMeters meters() {
    return meters;
  }

  HomeHealth health() {
    return health;
  }

  /** The proxy at which a piece with these replicas waits. */
  HomeChoice choice(ProxyContext context, List<NodeId> replicas) {
    ExchangeConfig config = context.config();
    if (config.homes().members() == 1 || config.scheduling().mode() != Mode.ENFORCE) {
      return new HomeChoice.Here(replicas);
    }
    return HomeChoice.of(
        config.homes(),
        replicas,
        new HomeChoice.Known(
            context.health()::isHealthy,
            node -> waitMicros(context, config.homes(), node),
            health::isUsable));
  }

  private double waitMicros(ProxyContext context, Homes homes, NodeId node) {
    if (homes.of(node) != null) {
      return health.waitMicros(node);
    }
    NodeState state = context.scheduler().state(node);
    return state == null ? 0 : state.backlogMicros();
  }

  /** One request on its way to a home, not started; takes the frame over. */
  Attempt attempt(Lane lane, Homes.Home home, LinkKey key, Frame frame, AttemptListener listener) {
    Node proxy = new Node(new NodeId(home.instance()), home.address(), "", "", true);
    return dispatcher.attempt(lane, proxy, key, frame, listener);
  }
}
