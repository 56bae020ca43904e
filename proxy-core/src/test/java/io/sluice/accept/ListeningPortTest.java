package io.sluice.accept;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.sluice.wire.EventLoops;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests of a bound port. {@link HandoverTest} tests ports of two processes. */
class ListeningPortTest {

  private static final Duration LONG = Duration.ofSeconds(10);

  private final EventLoops loops = new EventLoops(1);
  private final AtomicInteger accepted = new AtomicInteger();

  @AfterEach
  void close() {
    loops.close();
  }

  private ListeningPort listen(int port) throws IOException {
    return listen("127.0.0.1", port);
  }

  private ListeningPort listen(String host, int port) throws IOException {
    return new ListeningPort(
        new ListenConfig(host, port, 4, 1 << 20, 10, 1 << 20, LONG, 50),
        loops,
        new ChannelInitializer<>() {
          @Override
          protected void initChannel(Channel channel) {
            accepted.incrementAndGet();
          }
        });
  }

  private static Socket connect(InetSocketAddress address) throws IOException {
    return new Socket(address.getAddress(), address.getPort());
  }

  @Test
  void accepted_connections_are_initialized() throws Exception {
    try (ListeningPort port = listen(0);
        Socket client = connect(port.address())) {
      assertThat(client.getPort()).isPositive();
      Awaitility.await().atMost(LONG).until(() -> accepted.get() == 1);
      assertThat(port.isHandedOver()).isFalse();
    }
  }

  @Test
  void a_port_in_use_is_named_with_what_to_do() throws Exception {
    try (ListeningPort first = listen(0)) {
      int port = first.address().getPort();
      assertThatThrownBy(() -> listen(port).close())
          .isInstanceOf(IOException.class)
          .hasMessageStartingWith("Cannot listen for CQL on 127.0.0.1:" + port)
          .hasMessageEndingWith("; choose another cql.port or end what uses it");
    }
  }

  /** 192.0.2.1 is reserved for documentation (RFC 5737). */
  @Test
  void a_host_that_is_not_this_machine_is_named_with_what_to_do() {
    assertThatThrownBy(() -> listen("no.such.invalid", 9042).close())
        .isInstanceOf(IOException.class)
        .hasMessage(
            "Cannot listen for CQL on no.such.invalid:9042 (the host name cannot be resolved); set"
                + " cql.host to an address of this machine");
    assertThatThrownBy(() -> listen("192.0.2.1", 9042).close())
        .isInstanceOf(IOException.class)
        .hasMessageStartingWith("Cannot listen for CQL on 192.0.2.1:9042 (")
        .hasMessageEndingWith("; set cql.host to an address of this machine");
  }

  @Test
  void a_port_that_has_stopped_accepts_no_connection() throws Exception {
    try (ListeningPort port = listen(0)) {
      InetSocketAddress address = port.address();
      port.stopAccepting();
      Awaitility.await()
          .atMost(LONG)
          .untilAsserted(
              () ->
                  assertThatThrownBy(() -> connect(address).close())
                      .isInstanceOf(IOException.class));
    }
  }

  @Test
  void a_closed_port_is_free_at_once() throws Exception {
    int port;
    try (ListeningPort first = listen(0)) {
      port = first.address().getPort();
    }
    try (ListeningPort second = listen(port)) {
      assertThat(second.address().getPort()).isEqualTo(port);
    }
  }
}
