package io.sluice.accept;

import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.sluice.memory.MemoryBudget;
import io.sluice.time.Lane;
import io.sluice.time.OnLanes;
import io.sluice.time.SystemTime;
import io.sluice.tls.Tls;
import io.sluice.tls.TlsConfig;
import io.sluice.wire.EventLoops;
import io.sluice.wire.FrameHandlers;
import io.sluice.wire.Framing;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;

/** The listener of the CQL port, with its client connections. Safe for any thread. */
public final class ClientListener implements AutoCloseable {

  private final EventLoops loops;
  private final Tls tls;
  private final ListenerContext context;
  private final StartGate gate;
  private final SystemTime clock = new SystemTime();
  private final ConnectionAdmission admission;
  private final TlsHandshakes handshakes;
  private final Set<ClientSession> sessions = ConcurrentHashMap.newKeySet();
  private final AtomicLong ids = new AtomicLong();
  private final ListeningPort port;
  private volatile boolean ending;

  /** Creates a listener without TLS and without a memory limit. */
  ClientListener(ListenConfig config, EventLoops loops, ClientHandler handler) throws IOException {
    this(
        config,
        Tls.off(TlsConfig.Side.CLIENT),
        loops,
        MemoryBudget.unlimited(),
        StartGate.opened(handler));
  }

  /**
   * Binds the port and starts accepting. Clients wait in their handshake until {@link #open}, for
   * at most four fifths of the handshake timeout. If another process holds the port and hands it
   * over, this listener accepts only from {@link #serves} on, or from the end of that process.
   *
   * @param tls the loaded TLS of {@link ListenConfig#tls}
   * @param memory the budget for all memory that the clients hold
   * @param supported the options of a SUPPORTED message until {@link #open}
   * @throws IOException when the port cannot be bound
   */
  public ClientListener(
      ListenConfig config,
      Tls tls,
      EventLoops loops,
      MemoryBudget memory,
      Map<String, List<String>> supported)
      throws IOException {
    this(config, tls, loops, memory, new StartGate(config.handshakeTimeout(), supported));
  }

  /** Binds the port and starts accepting, with this gate. */
  ClientListener(
      ListenConfig config, Tls tls, EventLoops loops, MemoryBudget memory, StartGate gate)
      throws IOException {
    this.loops = loops;
    this.tls = tls;
    this.gate = gate;
    FaultLog faults = new FaultLog(clock);
    this.context = new ListenerContext(config, gate, faults, new DriverCounts(), memory);
    this.admission = new ConnectionAdmission(config, faults, clock);
    this.handshakes = new TlsHandshakes(memory, faults);
    this.port = new ListeningPort(config, loops, new Initializer());
  }

  /** Lets all clients in, now that their requests can be handled. Called once. */
  public void open(ClientHandler handler) {
    gate.open(handler);
  }

  /**
   * Starts accepting on an adopted port. The previous process may stop now, and the next one may
   * ask for the port.
   *
   * @param taken called once, when the next process serves and this one has stopped accepting
   */
  public void serves(Runnable taken) {
    port.serves(taken);
  }

  /**
   * Calls {@code then} once, when no previous process accepts at this port any more: at once,
   * unless this listener has adopted the port.
   */
  public void whenAlone(Runnable then) {
    port.whenAlone(then);
  }

  /** Whether another process now has the port, at the same address. */
  public boolean isHandedOver() {
    return port.isHandedOver();
  }

  /** Returns the address that clients connect to, with the port that was actually bound. */
  public InetSocketAddress address() {
    return port.address();
  }

  /** Returns how many clients are connected. */
  public int connections() {
    return sessions.size();
  }

  /** Returns the sources of the number of logged in clients, by the family of their driver. */
  public Map<String, IntSupplier> drivers() {
    Map<String, IntSupplier> byFamily = new LinkedHashMap<>();
    for (DriverFamily each : DriverFamily.values()) {
      byFamily.put(each.tag(), () -> context.drivers().of(each));
    }
    return byFamily;
  }

  /**
   * Collects the facts of all clients that are logged in, each on its own lane.
   *
   * @param to the lane on which {@code then} is called, once
   */
  public void facts(Lane to, Consumer<List<ClientFacts>> then) {
    OnLanes.<ClientSession, ClientFacts>collect(
        sessions, ClientSession::lane, ClientSession::facts, to, then);
  }

  /** Returns how many connections were closed or refused for this reason since the start. */
  long disconnects(Disconnect why) {
    return context.faults().count(why);
  }

  /** Returns the sources of {@link #disconnects(Disconnect)}, by reason. */
  public Map<String, LongSupplier> disconnects() {
    Map<String, LongSupplier> byReason = new LinkedHashMap<>();
    for (Disconnect each : Disconnect.values()) {
      byReason.put(each.name().toLowerCase(Locale.ROOT), () -> disconnects(each));
    }
    return byReason;
  }

  /** Returns the bytes that are held for all clients, as the budget counts them. */
  public long heldBytes() {
    return context.memory().used();
  }

  /**
   * Stops accepting, and closes each connection when its requests are answered. After a hand-over
   * each connection is served until it is quiet for a while, because its driver may know no other
   * host.
   */
  public void drain() {
    ending = true;
    port.stopAccepting();
    sessions.forEach(port.isHandedOver() ? ClientSession::drainGently : ClientSession::drain);
  }

  /** Closes all connections at once. */
  @Override
  public void close() {
    ending = true;
    port.close();
    sessions.forEach(ClientSession::closeNow);
  }

  private final class Initializer extends ChannelInitializer<Channel> {

    @Override
    protected void initChannel(Channel channel) {
      String origin = Origin.of(channel.remoteAddress());
      Places.Place place = admission.admit(channel, origin);
      if (place == null) {
        return;
      }
      TlsHandshakes.Handshake handshake = handshakes.of(channel, origin);
      tls.accept(channel.pipeline(), handshake);
      Framing framing =
          FrameHandlers.install(
              channel.pipeline(), Framing.Side.SERVER, context.config().maxFrameBytes());
      ClientSession session =
          new ClientSession(
              new ClientConnection(ids.incrementAndGet(), channel, clock.now()),
              loops.lane(channel.eventLoop()),
              framing,
              context,
              () -> {
                place.loggedIn();
                handshake.over();
              });
      sessions.add(session);
      channel.closeFuture().addListener(closed -> sessions.remove(session));
      channel.pipeline().addLast("session", new ClientChannel(session));
      if (ending && port.isHandedOver()) {
        session.drainGently();
      } else if (ending) {
        // The channel was accepted before drain() but was not yet in the set of sessions.
        channel.close();
      }
    }
  }
}
