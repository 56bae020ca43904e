package io.sluice.watch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.time.NanoClock;
import io.sluice.tls.TestCertificates;
import io.sluice.tls.Tls;
import io.sluice.tls.TlsConfig;
import io.sluice.tls.TlsConfig.HostCheck;
import io.sluice.tls.TlsConfig.TlsKeys;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Contact points that send few bytes at a time, in the test's own time. */
class ContactPointProbeTest {

  /** The answer SUPPORTED without a body. */
  private static final byte[] SUPPORTED = {(byte) 0x84, 0, 0, 0, 6, 0, 0, 0, 0};

  /** A TLS alert that refuses the handshake; its head and its body are two reads. */
  private static final byte[] ALERT = {21, 3, 3, 0, 2, 2, 40};

  @TempDir private Path folder;

  /** Returns a clock that is this much later at each reading. */
  private static NanoClock clock(Duration step) {
    AtomicLong now = new AtomicLong();
    return () -> now.getAndAdd(step.toNanos());
  }

  private static List<InetSocketAddress> probe(byte[] answer, Tls tls, Duration step)
      throws IOException {
    try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      Thread peer = new Thread(() -> serve(server, answer), "peer");
      peer.setDaemon(true);
      peer.start();
      return ContactPointProbe.usable(
          List.of((InetSocketAddress) server.getLocalSocketAddress()), tls, clock(step));
    }
  }

  private static void serve(ServerSocket server, byte[] answer) {
    try (Socket client = server.accept()) {
      client.getOutputStream().write(answer);
      client.getInputStream().readAllBytes();
    } catch (IOException closed) {
      // The probe has ended.
    }
  }

  @Test
  void an_answer_in_time_makes_the_contact_point_usable() throws Exception {
    assertThat(probe(SUPPORTED, Tls.off(TlsConfig.Side.NODE), Duration.ofMillis(100))).hasSize(1);
  }

  @Test
  void all_bytes_of_the_answer_together_have_two_seconds() {
    assertThatThrownBy(() -> probe(SUPPORTED, Tls.off(TlsConfig.Side.NODE), Duration.ofMillis(900)))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("does not answer CQL within 2 s");
  }

  @Test
  void the_tls_handshake_is_part_of_these_two_seconds() throws Exception {
    Tls tls =
        Tls.load(
            TestCertificates.nodes(
                TlsKeys.NONE, TestCertificates.OTHER.writeAuthority(folder), HostCheck.ADDRESS));
    assertThatThrownBy(() -> probe(ALERT, tls, Duration.ofMillis(1500)))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("not finished in time");
  }
}
