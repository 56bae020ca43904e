package io.sluice.link;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.bootstrap.Bootstrap;
import io.netty.channel.ChannelException;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.sluice.link.Link.LinkWaiter;
import io.sluice.ring.Node;
import io.sluice.ring.NodeId;
import io.sluice.time.Lane;
import io.sluice.tls.Tls;
import io.sluice.tls.TlsConfig;
import io.sluice.wire.EventLoops;
import io.sluice.wire.FakeNode;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests that every connection to a node that fails is reported on its lane. */
class NodeConnectorTest {

  private static final Tls PLAIN = Tls.off(TlsConfig.Side.NODE);

  private final EventLoops loops = new EventLoops(1);
  private final Lane lane = loops.anyLane();
  private final FakeNode fake = new FakeNode();
  private final Node node = new Node(new NodeId(new UUID(0, 1)), fake.address(), "dc", "r", true);

  @AfterEach
  void stop() {
    fake.close();
    loops.close();
  }

  /** Returns the reason for which a connection fails, and whether it was told on the lane. */
  private String failure(NodeConnector connector) throws Exception {
    CompletableFuture<String> failure = new CompletableFuture<>();
    LinkWaiter waiter =
        new LinkWaiter() {
          @Override
          public void ready(Link link) {
            failure.complete("ready");
          }

          @Override
          public void failed(LinkFailure why) {
            failure.complete(why.message() + (lane.isCurrent() ? " on its lane" : " elsewhere"));
          }
        };
    connector.connect(
        lane,
        node,
        Duration.ofSeconds(5),
        channel -> {
          throw new AssertionError("connected");
        },
        waiter);
    return failure.get(10, TimeUnit.SECONDS);
  }

  @Test
  void a_socket_that_cannot_be_created_is_a_failed_connection() throws Exception {
    EventLoopGroup group = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
    Bootstrap broken =
        new Bootstrap()
            .group(group)
            .channelFactory(
                () -> {
                  throw new ChannelException("Too many open files");
                });
    NodeConnector connector = new NodeConnector(on -> broken, PLAIN, () -> false);

    assertThat(failure(connector)).endsWith("Too many open files on its lane");
    group.shutdownGracefully();
  }

  @Test
  void a_node_that_does_not_listen_is_a_failed_connection() throws Exception {
    fake.close();

    assertThat(failure(new NodeConnector(loops::forNodes, PLAIN, () -> false)))
        .contains("refused")
        .endsWith("on its lane");
  }

  @Test
  void a_connection_of_a_pool_that_is_closed_is_a_failed_one() throws Exception {
    assertThat(failure(new NodeConnector(loops::forNodes, PLAIN, () -> true)))
        .endsWith(fake.address() + " on its lane");
  }
}
