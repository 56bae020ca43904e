package io.sluice.accept;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.embedded.EmbeddedChannel;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** Tests the two ends of a connection. */
class ClientConnectionTest {

  private static final InetSocketAddress APP = InetSocketAddress.createUnresolved("app", 1);
  private static final InetSocketAddress PROXY = InetSocketAddress.createUnresolved("proxy", 9042);

  private static EmbeddedChannel between(SocketAddress remote) {
    return new EmbeddedChannel() {
      @Override
      protected SocketAddress localAddress0() {
        return PROXY;
      }

      @Override
      protected SocketAddress remoteAddress0() {
        return remote;
      }
    };
  }

  @Test
  void both_ends_are_known_and_the_clients_own_after_its_end_too() {
    EmbeddedChannel channel = between(APP);
    ClientConnection connection = new ClientConnection(7, channel, Instant.EPOCH);
    assertThat(connection.id()).isEqualTo(7);
    assertThat(connection.since()).isEqualTo(Instant.EPOCH);
    assertThat(connection.channel()).isSameAs(channel);
    assertThat(connection.connectedTo()).isEqualTo(PROXY);
    assertThat(connection.encryption()).isNull();
    channel.close();
    assertThat(connection.address()).isEqualTo(APP);
  }

  @Test
  void an_end_that_is_no_internet_address_keeps_its_name() {
    SocketAddress local =
        new SocketAddress() {
          @Override
          public String toString() {
            return "embedded";
          }
        };
    assertThat(new ClientConnection(7, between(local), Instant.EPOCH).address())
        .isEqualTo(InetSocketAddress.createUnresolved("embedded", 0));
  }
}
