package io.sluice.accept;

import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.sluice.memory.MemoryBudget;
import io.sluice.time.Lane;
import io.sluice.time.OnLanes;
import io.sluice.time.SystemTime;
import io.sluice.tls.Tls;
import io.sluice.tls.TlsCause;
import io.sluice.tls.TlsConfig;
import io.sluice.tls.TlsListener;
import io.sluice.wire.EventLoops;
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
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** The listener of the CQL port, with its client connections. Safe for any thread. */
public final class ClientListener implements AutoCloseable {

  /** Bytes of the engine of one TLS handshake, with its buffers; 13 KB measured. */
  private static final long HANDSHAKE_BYTES = 16 * 1024;

  private final ListenConfig config;
  private final EventLoops loops;
  private final Tls tls;
  private final Door door;
  private final StartGate gate;
  private final Set<ClientSession> sessions = ConcurrentHashMap.newKeySet();
  private final Places places;
  private final Places handshakes;
  private final ConnectionRate rate;
  private final SystemTime clock = new SystemTime();
  private final AtomicLong ids = new AtomicLong();
  private final Channel server;
  private final @Nullable Handover handover;
  private final Handover.@Nullable Taken before;
  private volatile boolean ending;
  private volatile boolean handedOver;

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
   * over, this listener accepts only from {@link #serves} on.
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
    this.config = config;
    this.tls = tls;
    this.places = new Places(config.maxConnections());
    this.handshakes = new Places(memory.handshakes(HANDSHAKE_BYTES));
    this.rate = new ConnectionRate(config.connectionsPerSecond());
    this.loops = loops;
    this.gate = gate;
    this.door = new Door(config, gate, new FaultLog(clock), new DriverCounts(), memory);
    this.handover = config.handover() == null ? null : new Handover(loops, config.handover());
    this.before = handover == null ? null : handover.take();
    this.server = before == null ? bind() : adopt(before);
  }

  private Channel bind() throws IOException {
    ChannelFuture bound =
        loops
            .forClients()
            .childHandler(new Initializer())
            .bind(config.host(), config.port())
            .awaitUninterruptibly();
    if (!bound.isSuccess()) {
      throw new IOException(
          "Cannot listen for CQL on %s:%d (%s); choose another cql.port or end what uses it"
              .formatted(config.host(), config.port(), bound.cause().getMessage()),
          bound.cause());
    }
    return bound.channel();
  }

  /**
   * Listens on the socket of the previous process. That process also accepts until it is told to
   * stop.
   */
  private Channel adopt(Handover.Taken taken) throws IOException {
    ChannelFuture adopted =
        loops
            .forClients(taken.socket())
            .option(ChannelOption.AUTO_READ, false)
            .childHandler(new Initializer())
            .register()
            .awaitUninterruptibly();
    if (!adopted.isSuccess()) {
      taken.giveUp();
      throw new IOException("Cannot take the port over", adopted.cause());
    }
    Channel channel = adopted.channel();
    int port = ((InetSocketAddress) channel.localAddress()).getPort();
    if (config.port() != 0 && config.port() != port) {
      channel.close();
      taken.giveUp();
      throw new IOException(
          "The process at cql.handover %s has port %d, and cql.port is %d"
              .formatted(config.handover(), port, config.port()));
    }
    return channel;
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
    server.config().setAutoRead(true);
    if (handover != null) {
      handover.serves(
          server,
          before,
          () -> {
            handedOver = true;
            taken.run();
          });
    }
  }

  /** Whether another process now has the port, at the same address. */
  public boolean isHandedOver() {
    return handedOver;
  }

  /** Returns the address that clients connect to, with the port that was actually bound. */
  public InetSocketAddress address() {
    return (InetSocketAddress) server.localAddress();
  }

  /** Returns how many clients are connected. */
  public int connections() {
    return sessions.size();
  }

  /** Returns the sources of the number of logged in clients, by the family of their driver. */
  public Map<String, IntSupplier> drivers() {
    Map<String, IntSupplier> byFamily = new LinkedHashMap<>();
    for (DriverFamily each : DriverFamily.values()) {
      byFamily.put(each.tag(), () -> door.drivers().of(each));
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
    return door.faults().count(why);
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
    return door.memory().used();
  }

  /**
   * Stops accepting, and closes each connection when its requests are answered. After a hand-over
   * each connection is served until it is quiet for a while, because its driver may know no other
   * host.
   */
  public void drain() {
    ending = true;
    stopAccepting();
    sessions.forEach(handedOver ? ClientSession::drainGently : ClientSession::drain);
  }

  private ChannelFuture stopAccepting() {
    if (handover != null) {
      handover.close();
    }
    return server.close();
  }

  /** Closes all connections at once. */
  @Override
  public void close() {
    ending = true;
    stopAccepting().awaitUninterruptibly();
    sessions.forEach(ClientSession::closeNow);
  }

  /**
   * Accounts for the memory of a client's TLS engine from the begin of its handshake until the
   * login, and logs the failure of the handshake.
   */
  private final class Handshake implements TlsListener {

    private final Channel channel;
    private final String origin;
    private Places.@Nullable Place place;
    private @Nullable LongConsumer memory;

    Handshake(Channel channel, String origin) {
      this.channel = channel;
      this.origin = origin;
      channel.closeFuture().addListener(closed -> over());
    }

    @Override
    public boolean begins() {
      place = handshakes.take(origin);
      if (place == null) {
        door.faults()
            .disconnected(
                Disconnect.MEMORY,
                channel.remoteAddress(),
                "too many TLS connections have not logged in (an eighth of cql.maxMemoryPercent is"
                    + " for them, and one address may take half of what is free of it)");
        return false;
      }
      memory = door.memory().count();
      memory.accept(HANDSHAKE_BYTES);
      return true;
    }

    private void over() {
      if (place != null && memory != null) {
        place.leave();
        memory.accept(0);
      }
      place = null;
      memory = null;
    }

    @Override
    public void secured() {
      // The engine stays.
    }

    @Override
    public void failed(TlsCause cause, String reason) {
      over();
      if (cause == TlsCause.CLOSED) {
        door.faults().refused(channel.remoteAddress(), reason);
      } else {
        door.faults().disconnected(Disconnect.TLS, channel.remoteAddress(), reason);
      }
    }
  }

  private final class Initializer extends ChannelInitializer<Channel> {

    @Override
    protected void initChannel(Channel channel) {
      String origin = Origin.of(channel.remoteAddress());
      if (!rate.take(origin, clock.nanoTime())) {
        door.faults()
            .disconnected(
                Disconnect.RATE,
                channel.remoteAddress(),
                "more than %d connections a second from one address (cql.connectionsPerSecond)"
                    .formatted(config.connectionsPerSecond()));
        channel.close();
        return;
      }
      Places.Place place = places.take(origin);
      if (place == null) {
        door.faults()
            .disconnected(
                Disconnect.PLACES,
                channel.remoteAddress(),
                "no place for another connection (cql.maxConnections is %d, and one address may"
                        .formatted(config.maxConnections())
                    + " take half of what is free before login)");
        channel.close();
        return;
      }
      channel.closeFuture().addListener(closed -> place.leave());
      Handshake handshake = new Handshake(channel, origin);
      tls.accept(channel.pipeline(), handshake);
      Framing framing =
          Framing.install(channel.pipeline(), Framing.Side.SERVER, config.maxFrameBytes());
      ClientSession session =
          new ClientSession(
              new ClientConnection(ids.incrementAndGet(), channel, clock.now()),
              loops.lane(channel.eventLoop()),
              framing,
              door,
              () -> {
                place.loggedIn();
                handshake.over();
              });
      sessions.add(session);
      channel.closeFuture().addListener(closed -> sessions.remove(session));
      channel.pipeline().addLast("session", new ClientChannel(session));
      if (ending && handedOver) {
        session.drainGently();
      } else if (ending) {
        // The channel was accepted before drain() but was not yet in the set of sessions.
        channel.close();
      }
    }
  }
}
