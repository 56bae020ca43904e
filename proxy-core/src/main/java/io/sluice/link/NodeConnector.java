package io.sluice.link;

import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import io.sluice.link.Link.LinkWaiter;
import io.sluice.ring.Node;
import io.sluice.time.Lane;
import io.sluice.tls.Tls;
import io.sluice.tls.TlsCause;
import io.sluice.tls.TlsListener;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Connects to nodes, with TLS if it is on. The waiter of a connection that fails is told on its
 * lane. Safe for any thread.
 */
final class NodeConnector {

  /** Creates the link of an established connection. */
  interface Opening {
    Link open(Channel channel);
  }

  private final Function<Lane, Bootstrap> bootstraps;
  private final Tls tls;
  private final BooleanSupplier closed;

  /**
   * Creates a connector.
   *
   * @param bootstraps returns a bootstrap whose channels run on a lane
   * @param closed whether new connections are to be closed
   */
  NodeConnector(Function<Lane, Bootstrap> bootstraps, Tls tls, BooleanSupplier closed) {
    this.bootstraps = bootstraps;
    this.tls = tls;
    this.closed = closed;
  }

  /**
   * Connects to a node.
   *
   * @param open called on {@code lane} when the connection is established
   * @param waiter is told of a failure
   */
  void connect(Lane lane, Node node, Duration timeout, Opening open, LinkWaiter waiter) {
    ChannelFuture connecting =
        bootstraps
            .apply(lane)
            .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, (int) timeout.toMillis())
            .handler(new ChannelInboundHandlerAdapter())
            .connect(node.address());
    // A channel that cannot be created, such as for want of a file descriptor, has no event loop:
    // its listeners run on another thread. Netty closes a channel that does not connect.
    connecting.addListener(
        done ->
            lane.run(
                () -> {
                  if (!done.isSuccess()) {
                    waiter.failed(LinkFailure.unreachable(reason(node, done.cause())));
                  } else {
                    connected(connecting.channel(), node, timeout, open, waiter);
                  }
                }));
  }

  private void connected(
      Channel channel, Node node, Duration timeout, Opening open, LinkWaiter waiter) {
    if (closed.getAsBoolean()) {
      channel.close();
      waiter.failed(LinkFailure.unreachable(reason(node, null)));
    } else if (tls.isOn()) {
      tls.connect(channel, node.address(), timeout, new Secured(channel, node, open, waiter));
    } else {
      open.open(channel);
    }
  }

  /** Opens the link after the TLS handshake with a node. */
  private static final class Secured implements TlsListener {

    private final Channel channel;
    private final Node node;
    private final Opening open;
    private final LinkWaiter waiter;
    private @Nullable Link link;

    Secured(Channel channel, Node node, Opening open, LinkWaiter waiter) {
      this.channel = channel;
      this.node = node;
      this.open = open;
      this.waiter = waiter;
    }

    @Override
    public void secured() {
      link = open.open(channel);
    }

    @Override
    public void failed(TlsCause cause, String reason) {
      if (link == null) {
        waiter.failed(
            LinkFailure.unreachable("cannot connect to " + node.address() + ": " + reason));
      } else {
        link.close(reason);
      }
    }
  }

  private static String reason(Node node, @Nullable Throwable cause) {
    return "cannot connect to " + node.address() + (cause == null ? "" : ": " + cause.getMessage());
  }
}
