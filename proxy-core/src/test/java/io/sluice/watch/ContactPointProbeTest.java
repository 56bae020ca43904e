package io.sluice.watch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.testkit.FakeCassandra;
import io.sluice.testkit.FreePorts;
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
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Contact points that are unusable or slow, in the test's own time. */
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
      client.shutdownOutput();
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

  @Test
  void any_node_answers_the_probe_even_if_it_refuses_the_version() throws Exception {
    byte[] error = {(byte) 0x83, 0, 0, 0, 0};
    assertThat(probe(error, Tls.off(TlsConfig.Side.NODE), Duration.ZERO)).hasSize(1);
  }

  static Stream<Arguments> faults() {
    String closed = "it closes the connection: not a CQL port, or one that requires TLS";
    String other = "the server there does not speak CQL";
    return Stream.of(
        Arguments.of(new byte[0], closed),
        Arguments.of(new byte[] {(byte) 0x84, 0, 0, 0}, closed),
        Arguments.of("HTTP/1.1 400".getBytes(StandardCharsets.US_ASCII), other),
        Arguments.of(new byte[] {4, 0, 0, 0, 6}, other),
        Arguments.of(new byte[] {(byte) 0x84, 0, 0, 0, 5}, other),
        Arguments.of(ALERT, "it requires TLS (cluster.tls)"));
  }

  @ParameterizedTest
  @MethodSource("faults")
  void the_message_about_a_server_that_does_not_speak_cql_says_what_it_does(
      byte[] answer, String fault) {
    assertThatThrownBy(() -> probe(answer, Tls.off(TlsConfig.Side.NODE), Duration.ZERO))
        .isInstanceOf(IOException.class)
        .message()
        .matches("cluster\\.contactPoints: none can be reached: localhost:\\d+ \\(.*\\)")
        .endsWith("(" + fault + ")");
  }

  private static InetSocketAddress nobody() throws IOException {
    return new InetSocketAddress(InetAddress.getLoopbackAddress(), FreePorts.next());
  }

  @Test
  void the_message_about_several_contact_points_names_the_fault_of_each() throws Exception {
    InetSocketAddress nobody = nobody();
    InetSocketAddress unknown = InetSocketAddress.createUnresolved("not a host", 9042);
    assertThatThrownBy(
            () -> ContactPointProbe.usable(List.of(unknown, nobody), Tls.off(TlsConfig.Side.NODE)))
        .isInstanceOf(IOException.class)
        .hasMessage(
            "cluster.contactPoints: none can be reached: not a host:9042 (the host name cannot be"
                + " resolved), localhost:%d (the connection is refused: nothing listens there)",
            nobody.getPort());
  }

  @Test
  void contact_points_that_cannot_be_reached_are_left_out_if_another_can() throws Exception {
    try (FakeCassandra node = new FakeCassandra(new UUID(0, 1), "here", 0)) {
      List<InetSocketAddress> points =
          List.of(InetSocketAddress.createUnresolved("not a host", 9042), nobody(), node.address());
      assertThat(ContactPointProbe.usable(points, Tls.off(TlsConfig.Side.NODE)))
          .containsExactly(node.address());
    }
  }

  @Test
  void a_name_that_cannot_be_resolved_stays_a_name() {
    InetSocketAddress unknown = InetSocketAddress.createUnresolved("not a host", 9042);
    InetSocketAddress known = InetSocketAddress.createUnresolved("127.0.0.1", 9043);
    assertThat(ContactPoints.resolved(List.of(unknown, known)))
        .containsExactly(unknown, new InetSocketAddress(InetAddress.getLoopbackAddress(), 9043));
  }
}
