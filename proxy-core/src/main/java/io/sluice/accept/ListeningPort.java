package io.sluice.accept;

import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelOption;
import io.sluice.wire.EventLoops;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The listening socket of the CQL port. It is bound, or adopted from the previous process, and may
 * be handed over to the next one. Safe for any thread.
 */
final class ListeningPort implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(ListeningPort.class);

  private final @Nullable Handover handover;
  private final Handover.@Nullable Taken before;
  private final Channel server;
  private volatile boolean handedOver;

  /**
   * Binds the port and starts accepting. An adopted port accepts only from {@link #serves} on, or
   * from the end of the previous process.
   *
   * @param connections initializes each accepted connection
   * @throws IOException when the port cannot be bound or adopted
   */
  ListeningPort(ListenConfig config, EventLoops loops, ChannelHandler connections)
      throws IOException {
    this.handover = config.handover() == null ? null : new Handover(loops, config.handover());
    this.before = handover == null ? null : handover.take();
    this.server =
        before == null
            ? bind(config, loops, connections)
            : adopt(before, config, loops, connections);
  }

  private static Channel bind(ListenConfig config, EventLoops loops, ChannelHandler connections)
      throws IOException {
    ChannelFuture bound =
        loops
            .forClients()
            .childHandler(connections)
            .bind(config.host(), config.port())
            .awaitUninterruptibly();
    if (!bound.isSuccess()) {
      throw cannotListen(config, bound.cause());
    }
    return bound.channel();
  }

  private static IOException cannotListen(ListenConfig config, Throwable cause) {
    InetSocketAddress at = new InetSocketAddress(config.host(), config.port());
    return new IOException(
        "Cannot listen for CQL on %s:%d (%s); %s"
            .formatted(
                config.host(),
                config.port(),
                at.isUnresolved() ? "the host name cannot be resolved" : cause.getMessage(),
                isOfThisMachine(at)
                    ? "choose another cql.port or end what uses it"
                    : "set cql.host to an address of this machine"),
        cause);
  }

  /** Whether another port of this address can be bound. */
  private static boolean isOfThisMachine(InetSocketAddress at) {
    if (at.isUnresolved()) {
      return false;
    }
    try {
      new ServerSocket(0, 1, at.getAddress()).close();
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  /**
   * Listens on the socket of the previous process, which accepts until it is told to stop or ends.
   */
  private static Channel adopt(
      Handover.Taken taken, ListenConfig config, EventLoops loops, ChannelHandler connections)
      throws IOException {
    ChannelFuture adopted =
        loops
            .forClients(taken.socket())
            .option(ChannelOption.AUTO_READ, false)
            .childHandler(connections)
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
    taken.whenEnded(() -> acceptAlone(channel));
    return channel;
  }

  /** Accepts on the socket of a process that has ended too early. */
  private static void acceptAlone(Channel adopted) {
    if (adopted.isOpen() && !adopted.config().isAutoRead()) {
      LOG.info(
          "The previous process has ended: this one accepts clients, which wait until it serves");
      adopted.config().setAutoRead(true);
    }
  }

  /**
   * Starts accepting on an adopted port. The previous process may stop now, and the next one may
   * ask for the port.
   *
   * @param taken called once, when the next process serves and this one has stopped accepting
   */
  void serves(Runnable taken) {
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

  /** Calls {@code then} once, when no previous process accepts at this port any more. */
  void whenAlone(Runnable then) {
    if (before == null) {
      then.run();
    } else {
      before.whenEnded(then);
    }
  }

  /** Whether another process now has the port, at the same address. */
  boolean isHandedOver() {
    return handedOver;
  }

  /** Returns the address that clients connect to, with the port that was actually bound. */
  InetSocketAddress address() {
    return (InetSocketAddress) server.localAddress();
  }

  /** Begins to close the socket. No other process can take the port over any more. */
  ChannelFuture stopAccepting() {
    if (handover != null) {
      handover.close();
    }
    return server.close();
  }

  /** Closes the socket, and waits until it is closed. */
  @Override
  public void close() {
    stopAccepting().awaitUninterruptibly();
  }
}
