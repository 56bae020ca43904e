package io.sluice.accept;

import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.sluice.wire.EventLoops;
import io.sluice.wire.Framing;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Binds the CQL port and keeps the connections that come in. Safe for any thread. */
public final class ClientListener implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(ClientListener.class);

  private final ListenConfig config;
  private final EventLoops loops;
  private final ClientHandler handler;
  private final Set<ClientSession> sessions = ConcurrentHashMap.newKeySet();
  private final Semaphore places;
  private final AtomicLong ids = new AtomicLong();
  private final Channel server;
  private volatile boolean ending;

  /**
   * Binds and starts accepting.
   *
   * @throws IOException when the port cannot be bound
   */
  public ClientListener(ListenConfig config, EventLoops loops, ClientHandler handler)
      throws IOException {
    this.config = config;
    this.places = new Semaphore(config.maxConnections());
    this.loops = loops;
    this.handler = handler;
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

  /** Accepts nobody any more and closes each connection when its requests are answered. */
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

  private final class Initializer extends ChannelInitializer<Channel> {

    @Override
    protected void initChannel(Channel channel) {
      if (!places.tryAcquire()) {
        LOG.warn(
            "Refusing {}: cql.maxConnections ({}) reached",
            channel.remoteAddress(),
            config.maxConnections());
        channel.close();
        return;
      }
      channel.closeFuture().addListener(closed -> places.release());
      Framing framing =
          Framing.install(channel.pipeline(), Framing.Side.SERVER, config.maxFrameBytes());
      ClientSession session =
          new ClientSession(
              ids.incrementAndGet(),
              channel,
              loops.lane(channel.eventLoop()),
              framing,
              config,
              handler);
      sessions.add(session);
      channel.closeFuture().addListener(closed -> sessions.remove(session));
      channel.pipeline().addLast("session", session);
      if (ending) {
        // It was accepted before, but nobody knew of it when all were told.
        channel.close();
      }
    }
  }
}
