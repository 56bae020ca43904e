package io.sluice.accept;

import static io.sluice.wire.AcceptedClient.on;
import static io.sluice.wire.AcceptedClient.write;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.netty.channel.epoll.Epoll;
import io.sluice.wire.AcceptedClient;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

class ReceiverBacklogTest {

  /** The client's system reports unread bytes by the window that it advertises. */
  @Test
  void bytes_that_a_client_has_received_and_not_read_are_known() throws Exception {
    assumeTrue(Epoll.isAvailable());
    AcceptedClient.with(
        (channel, client) -> {
          ReceiverBacklog backlog = ReceiverBacklog.of(channel);
          assertThat(on(channel, backlog::bytes)).isZero();
          write(channel, 1 << 20);
          Awaitility.await().until(() -> on(channel, backlog::bytes) > 1 << 15);
          client.getInputStream().readNBytes(1 << 20);
          // The next packet from the client carries the window.
          client.getOutputStream().write(0);
          Awaitility.await().until(() -> on(channel, backlog::bytes) == 0);
          write(channel, 1 << 20);
          Awaitility.await().until(() -> on(channel, backlog::bytes) > 1 << 15);
          on(channel, () -> forget(backlog));
          assertThat(on(channel, backlog::bytes)).isZero();
        });
  }

  private static long forget(ReceiverBacklog backlog) {
    backlog.forget();
    return 0;
  }
}
