package io.sluice.accept;

import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
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
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/** Binds the CQL port and keeps the connections that come in. Safe for any thread. */
public final class ClientListener implements AutoCloseable {

  private final ListenConfig config;
  private final EventLoops loops;
  private final Tls tls;
  private final Door door;
  private final Set<ClientSession> sessions = ConcurrentHashMap.newKeySet();
  private final Places places;
  private final AtomicLong ids = new AtomicLong();
  private final Channel server;
  private volatile boolean ending;

  /** The same without TLS and without a limit of memory. */
  ClientListener(ListenConfig config, EventLoops loops, ClientHandler handler) throws IOException {
    this(config, Tls.off(TlsConfig.Side.CLIENT), loops, MemoryBudget.unlimited(), handler);
  }

  /**
   * Binds and starts accepting.
   *
   * @param tls that of {@link ListenConfig#tls}, loaded
   * @param memory what the clients hold counts against it
   * @throws IOException when the port cannot be bound
   */
  public ClientListener(
      ListenConfig config, Tls tls, EventLoops loops, MemoryBudget memory, ClientHandler handler)
      throws IOException {
    this.config = config;
    this.tls = tls;
    this.places = new Places(config.maxConnections());
    this.loops = loops;
    this.door = new Door(config, handler, new FaultLog(new SystemTime()), memory, new SystemTime());
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
    this.server = bound.channel();
  }

  /** Where clients connect, with the port that was really bound. */
  public InetSocketAddress address() {
    return (InetSocketAddress) server.localAddress();
  }

  /** How many clients are connected. */
  public int connections() {
    return sessions.size();
  }

  /**
   * Tells of all clients that have logged in, each as it is on its own lane.
   *
   * @param to where {@code then} is called, once
   */
  public void facts(Lane to, Consumer<List<ClientFacts>> then) {
    OnLanes.<ClientSession, ClientFacts>collect(
        sessions, ClientSession::lane, ClientSession::facts, to, then);
  }

  /** How many connections were closed or refused for this reason since the start. */
  public long disconnects(Disconnect why) {
    return door.faults().count(why);
  }

  /** Bytes that are held for all clients, as the budget counts them. */
  public long heldBytes() {
    return door.memory().used();
  }

  /** Accepts no further connection and closes each connection when its requests are answered. */
  public void drain() {
    ending = true;
    server.close();
    sessions.forEach(ClientSession::drain);
  }

  /** Closes everything at once. */
  @Override
  public void close() {
    ending = true;
    server.close().awaitUninterruptibly();
    sessions.forEach(ClientSession::closeNow);
  }

  /** The log of what becomes of a client's TLS handshake. */
  private final class TlsEnd implements TlsListener {

    private final Channel channel;

    TlsEnd(Channel channel) {
      this.channel = channel;
    }

    @Override
    public void secured() {
      // The login follows.
    }

    @Override
    public void failed(TlsCause cause, String reason) {
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
      Places.Place place = places.take(host(channel));
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
      tls.accept(channel.pipeline(), new TlsEnd(channel));
      Framing framing =
          Framing.install(channel.pipeline(), Framing.Side.SERVER, config.maxFrameBytes());
      ClientSession session =
          new ClientSession(
              ids.incrementAndGet(),
              channel,
              loops.lane(channel.eventLoop()),
              framing,
              door,
              place);
      sessions.add(session);
      channel.closeFuture().addListener(closed -> sessions.remove(session));
      channel.pipeline().addLast("session", new ClientChannel(session));
      if (ending) {
        // It was accepted before, but not yet known when all others were told.
        channel.close();
      }
    }

    private static String host(Channel channel) {
      return channel.remoteAddress() instanceof InetSocketAddress address
          ? address.getHostString()
          : String.valueOf(channel.remoteAddress());
    }
  }
}
