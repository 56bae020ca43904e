package io.sluice.accept;

import static io.sluice.wire.AcceptedClient.on;
import static io.sluice.wire.AcceptedClient.write;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollSocketChannel;
import io.sluice.wire.AcceptedClient;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** Tests of connections whose receive window cannot be asked for any more, or never could. */
class TcpReceiveWindowTest {

  /** An answer may be added before the end of the connection is known. */
  @Test
  void a_closed_connection_has_no_backlog() throws Exception {
    assumeTrue(Epoll.isAvailable());
    AcceptedClient.with(
        (channel, client) -> {
          TcpReceiveWindow window = new TcpReceiveWindow((EpollSocketChannel) channel);
          assertThat(on(channel, window::bytes)).isZero();
          write(channel, 1 << 20);
          Awaitility.await().until(() -> on(channel, window::bytes) > 1 << 15);
          channel.close().sync();
          assertThat(window.bytes()).isZero();
          window.forget();
          assertThat(window.bytes()).isZero();
        });
  }

  @Test
  void a_channel_without_a_socket_has_no_known_backlog() {
    ReceiverBacklog backlog = ReceiverBacklog.of(new EmbeddedChannel());
    assertThat(backlog).isSameAs(ReceiverBacklog.UNKNOWN);
    backlog.forget();
    assertThat(backlog.bytes()).isZero();
  }
}
