package io.sluice.exchange.range;

import io.sluice.decide.schedule.SchedulerSnapshot.NodeState;
import io.sluice.decide.schedule.SchedulingConfig.Mode;
import io.sluice.exchange.ExchangeConfig;
import io.sluice.exchange.ProxyContext;
import io.sluice.execute.dispatch.Attempt;
import io.sluice.execute.dispatch.Attempt.AttemptListener;
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

/** Chooses the home proxy at which a piece waits, and sends pieces there. Safe for any thread. */
public final class PieceHomes implements AutoCloseable {

  private final Dispatcher dispatcher;
  private final HomeHealth health;
  private final HomeMeters meters;
  private final Runnable closing;

  /**
   * Creates a chooser among the homes in the settings.
   *
   * @param dispatcher sends requests to proxies
   * @param health the health of the proxies, updated by the links
   */
  PieceHomes(Dispatcher dispatcher, HomeHealth health, HomeMeters meters, Runnable closing) {
    this.dispatcher = dispatcher;
    this.health = health;
    this.meters = meters;
    this.closing = closing;
  }

  /**
   * Creates a chooser with its own links to proxies.
   *
   * @param links creates the links, which report silent proxies to their listener
   * @param texts the texts of prepared statements, for a home that does not know them
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

  /**
   * Returns the proxy at which a piece with these replicas waits.
   *
   * @param withinNanos the time that a home has for it
   */
  HomeChoice choice(ProxyContext context, List<NodeId> replicas, long withinNanos) {
    ExchangeConfig config = context.config();
    if (config.homes().members() == 1 || config.scheduling().mode() != Mode.ENFORCE) {
      return new HomeChoice.Here(replicas);
    }
    return HomeChoice.of(
        config.homes(),
        replicas,
        new HomeChoice.HomeState(
            context.health()::isHealthy,
            node -> waitMicros(context, config.homes(), node),
            to ->
                health.isUsable(to.home().instance())
                    && health.answersWithin(to.node(), withinNanos)));
  }

  private double waitMicros(ProxyContext context, Homes homes, NodeId node) {
    if (homes.of(node) != null) {
      return health.waitMicros(node);
    }
    NodeState state = context.scheduler().state(node);
    return state == null ? 0 : state.backlogMicros();
  }

  /** Creates a request to a home, which the caller starts. Takes the frame over. */
  Attempt attempt(Lane lane, Homes.Home home, LinkKey key, Frame frame, AttemptListener listener) {
    Node proxy = new Node(new NodeId(home.instance()), home.address(), "", "", true);
    return dispatcher.attempt(lane, proxy, key, frame, listener);
  }
}
