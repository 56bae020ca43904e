package io.sluice.watch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests of reads with one deadline, from a peer that has sent ten bytes. The clock is a fake. */
class DeadlineSocketTest {

  private static final long SECOND = 1_000;

  private long now = -5;
  private final DeadlineSocket socket = new DeadlineSocket(() -> now);
  private ServerSocket server;
  private Socket peer;
  private InputStream in;

  @BeforeEach
  void connect() throws IOException {
    server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
    socket.connect(server.getLocalSocketAddress());
    peer = server.accept();
    peer.getOutputStream().write(new byte[] {1, 2, 3, 4, 5, 6, 7, 8, 9, 10});
    in = socket.getInputStream();
    socket.readsFor(SECOND);
    assertThat(in.read()).as("all bytes are there").isEqualTo(1);
  }

  @AfterEach
  void close() throws IOException {
    socket.close();
    peer.close();
    server.close();
  }

  private void pass(Duration time) {
    now += time.toNanos();
  }

  /** The ways to read. All others are made of these. */
  enum Reading {
    ONE_BYTE {
      @Override
      void of(InputStream in) throws IOException {
        in.read();
      }
    },
    SOME {
      @Override
      void of(InputStream in) throws IOException {
        assertThat(in.read(new byte[2])).isEqualTo(2);
      }
    },
    SKIPPING {
      @Override
      void of(InputStream in) throws IOException {
        in.skipNBytes(2);
      }
    };

    abstract void of(InputStream in) throws IOException;
  }

  @ParameterizedTest
  @EnumSource
  void a_read_may_wait_for_the_time_that_is_left(Reading reading) throws IOException {
    pass(Duration.ofMillis(400));
    reading.of(in);
    assertThat(socket.getSoTimeout()).isEqualTo(600);
    pass(Duration.ofMillis(500));
    reading.of(in);
    assertThat(socket.getSoTimeout()).as("the peer has sent bytes meanwhile").isEqualTo(100);
  }

  @ParameterizedTest
  @EnumSource
  void at_the_deadline_nothing_is_read_even_if_bytes_are_there(Reading reading) throws IOException {
    pass(Duration.ofSeconds(1));
    assertThatThrownBy(() -> reading.of(in))
        .isInstanceOf(SocketTimeoutException.class)
        .hasMessage("Read timed out");
    assertThat(in.available()).isEqualTo(9);
  }

  /** A timeout of 0 would have no end. */
  @Test
  void less_than_a_millisecond_is_a_millisecond() throws IOException {
    pass(Duration.ofSeconds(1).minusNanos(1));
    assertThat(in.read()).isEqualTo(2);
    assertThat(socket.getSoTimeout()).isEqualTo(1);
  }

  @Test
  void a_new_deadline_begins_now() throws IOException {
    pass(Duration.ofSeconds(9));
    socket.readsFor(2 * SECOND);
    assertThat(in.read()).isEqualTo(2);
    assertThat(socket.getSoTimeout()).isEqualTo(2_000);
  }

  @Test
  void bytes_are_read_where_the_caller_wants_them() throws IOException {
    byte[] into = new byte[6];
    assertThat(in.read(into, 2, 3)).isEqualTo(3);
    assertThat(into).containsExactly(0, 0, 2, 3, 4, 0);
    assertThat(in.readNBytes(6)).containsExactly(5, 6, 7, 8, 9, 10);
    peer.close();
    assertThat(in.read()).as("the end").isEqualTo(-1);
  }

  @Test
  void a_closed_stream_closes_the_socket() throws IOException {
    in.close();
    assertThat(socket.isClosed()).isTrue();
  }
}
