package io.sluice.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.netty.channel.epoll.Epoll;
import org.junit.jupiter.api.Test;

class EventLoopsTest {

  private static final int WRITTEN = 16 << 20;

  /** Bytes that a client does not read stay in the proxy, where others can overtake them. */
  @Test
  void the_system_buffers_little_for_a_client_that_does_not_read() throws Exception {
    assumeTrue(Epoll.isAvailable());
    AcceptedClient.with(
        (channel, client) -> {
          long kept = AcceptedClient.write(channel, WRITTEN);
          assertThat(client.isConnected()).isTrue();
          // The difference is the client's own receive buffer.
          assertThat(WRITTEN - kept).isBetween(1L, 2L << 20);
        });
  }
}
