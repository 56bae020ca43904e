package io.sluice.accept;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBufUtil;
import io.netty.pkitesting.X509Bundle;
import io.sluice.memory.MemoryBudget;
import io.sluice.setting.Secret;
import io.sluice.tls.Reloading;
import io.sluice.tls.TestCertificates;
import io.sluice.tls.Tls;
import io.sluice.tls.TlsCause;
import io.sluice.tls.TlsConfig;
import io.sluice.tls.TlsConfig.ClientAuth;
import io.sluice.tls.TlsConfig.Mode;
import io.sluice.wire.CqlCodec;
import io.sluice.wire.EventLoops;
import io.sluice.wire.Identity;
import java.io.EOFException;
import java.io.IOException;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of a port with TLS and clients on sockets; the rest of the request path is a fake. */
class EncryptedListenerTest {

  private static final byte[] STARTUP =
      ByteBufUtil.decodeHexDump("0400000101000000160001000b43514c5f56455253494f4e0005332e302e30");

  private static final byte[] WRONG =
      ByteBufUtil.decodeHexDump("0400000242000000080000000178000100");

  /** The bytes that count for a running handshake. */
  private static final long HANDSHAKE_BYTES = 16 << 10;

  private static final int READY_BYTES = 9;
  private static final int MAX_REFUSED = 10;
  private static final Duration LONG = Duration.ofSeconds(30);

  private final TestCertificates authority = new TestCertificates();
  private final EventLoops loops = new EventLoops(1);
  private final List<Socket> sockets = new ArrayList<>();

  /** The roles of clients that have sent a STARTUP. */
  private final List<String> certified = new CopyOnWriteArrayList<>();

  @TempDir private Path folder;

  private @Nullable ClientListener listener;

  private ClientListener listen(Duration handshake, Tls tls) throws IOException {
    ListenConfig config = new ListenConfig("127.0.0.1", 0, 4, 1 << 20, 10, 1 << 20, handshake, 50);
    ClientListener opened =
        new ClientListener(
            config, tls, loops, MemoryBudget.unlimited(), StartGate.opened(new LetsIn()));
    listener = opened;
    return opened;
  }

  /** A port on which only {@code CN=localhost} has a role. */
  private ClientListener listenByCertificate(ClientAuth clientAuth) throws IOException {
    TlsConfig config =
        TestCertificates.clients(
            Mode.REQUIRED,
            TestCertificates.write(folder, "tls", authority.issue()),
            authority.writeAuthority(folder),
            clientAuth);
    ListenConfig certified =
        ListenConfig.on("127.0.0.1", 0)
            .withTls(
                config, List.of(new CertifiedRole("CN=localhost", null, "local", new Secret("p"))));
    ClientListener opened =
        new ClientListener(
            certified,
            Tls.load(config),
            loops,
            MemoryBudget.unlimited(),
            StartGate.opened(new LetsIn()));
    listener = opened;
    return opened;
  }

  private SSLSocket showing(ClientListener to, X509Bundle own) throws IOException {
    return (SSLSocket)
        authority.peer(own).getSocketFactory().createSocket(plain(to), "localhost", 0, true);
  }

  private Tls tls(Mode mode) {
    return Tls.load(
        TestCertificates.clients(mode, TestCertificates.write(folder, "tls", authority.issue())));
  }

  /** Lets every client log in. */
  private final class LetsIn implements ClientHandler {

    @Override
    public Map<String, List<String>> supported() {
      return Map.of();
    }

    @Override
    public Handshake startup(ClientRequest startup, Map<String, String> options) {
      Identity identity = startup.client().certified();
      certified.add(identity == null ? "by password" : identity.role());
      startup.frame().release();
      startup.client().lane().execute(() -> startup.replyTo().reply(CqlCodec.ready(4)));
      return new Handshake() {
        @Override
        public void authResponse(ClientRequest response) {
          throw new AssertionError("no proof is asked for");
        }

        @Override
        public void end() {}
      };
    }

    @Override
    public void handle(ClientRequest request) {
      throw new AssertionError("nothing is asked");
    }

    @Override
    public void registered(Client client) {}

    @Override
    public void gone(Client client) {}
  }

  private Socket plain(ClientListener to) throws IOException {
    Socket socket = new Socket();
    sockets.add(socket);
    socket.setSoTimeout(30_000);
    socket.connect(to.address());
    return socket;
  }

  private SSLSocket encrypted(ClientListener to, TestCertificates trusted) throws IOException {
    Socket plain = plain(to);
    return (SSLSocket)
        trusted.client().getSocketFactory().createSocket(plain, "localhost", 0, true);
  }

  private static boolean isLetIn(Socket socket) throws IOException {
    socket.getOutputStream().write(STARTUP);
    return socket.getInputStream().readNBytes(READY_BYTES).length == READY_BYTES;
  }

  private static void eventually(Runnable assertion) {
    Awaitility.await().atMost(LONG).untilAsserted(assertion::run);
  }

  @AfterEach
  void close() throws IOException {
    if (listener != null) {
      listener.close();
    }
    for (Socket socket : sockets) {
      socket.close();
    }
    loops.close();
  }

  @ParameterizedTest
  @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
  void a_client_logs_in_over_tls(String version) throws Exception {
    ClientListener port = listen(LONG, tls(Mode.REQUIRED));
    SSLSocket socket = encrypted(port, authority);
    socket.setEnabledProtocols(new String[] {version});
    assertThat(isLetIn(socket)).isTrue();
    assertThat(socket.getSession().getProtocol()).isEqualTo(version);
    List<ClientFacts> told = new CopyOnWriteArrayList<>();
    eventually(
        () -> {
          port.facts(loops.anyLane(), told::addAll);
          assertThat(told).isNotEmpty();
        });
    assertThat(told.get(0).tls())
        .isEqualTo(new ClientFacts.Encryption(version, socket.getSession().getCipherSuite()));
  }

  @Test
  void a_client_has_the_role_of_its_certificate() throws Exception {
    ClientListener port = listenByCertificate(ClientAuth.REQUIRE);
    assertThat(isLetIn(showing(port, authority.issue()))).isTrue();
    assertThat(certified).containsExactly("local");
  }

  @Test
  void a_client_whose_certificate_stands_for_no_role_is_told_so() throws Exception {
    ClientListener port = listenByCertificate(ClientAuth.WANT);
    SSLSocket socket = showing(port, authority.forOtherHost());
    socket.getOutputStream().write(STARTUP);
    byte[] error = socket.getInputStream().readNBytes(100);
    assertThat(new String(error, StandardCharsets.ISO_8859_1))
        .contains("The certificate of this client stands for no role: subject \"CN=elsewhere");
    assertThat(certified).isEmpty();
  }

  @Test
  void a_client_without_a_certificate_logs_in_by_password_where_it_may() throws Exception {
    ClientListener port = listenByCertificate(ClientAuth.WANT);
    assertThat(isLetIn(encrypted(port, authority))).isTrue();
    assertThat(certified).containsExactly("by password");
  }

  /** Handshakes of which only the first bytes arrive, and connections that do not log in. */
  @Test
  void tls_before_login_counts_against_the_memory_of_all_clients_and_is_bounded() throws Exception {
    Tls tls = tls(Mode.REQUIRED);
    MemoryBudget memory = new MemoryBudget(8 * 4 * HANDSHAKE_BYTES);
    ListenConfig config = ListenConfig.on("127.0.0.1", 0);
    ClientListener port =
        new ClientListener(config, tls, loops, memory, StartGate.opened(new LetsIn()));
    listener = port;
    List<Socket> halves = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      Socket half = plain(port);
      half.getOutputStream().write(new byte[] {22, 3, 1, 1, 0, 1});
      halves.add(half);
    }
    // One address takes half of the free places: two of four.
    eventually(() -> assertThat(port.disconnects(Disconnect.MEMORY)).isEqualTo(2));
    assertThat(memory.used()).isGreaterThanOrEqualTo(2 * HANDSHAKE_BYTES);
    for (Socket half : halves) {
      half.close();
    }
    eventually(() -> assertThat(memory.used()).isZero());
    SSLSocket whole = encrypted(port, authority);
    whole.startHandshake();
    eventually(() -> assertThat(memory.used()).isEqualTo(HANDSHAKE_BYTES));
    SSLSocket another = encrypted(port, authority);
    another.startHandshake();
    assertThat(memory.used()).as("no login yet").isEqualTo(2 * HANDSHAKE_BYTES);
    assertThatThrownBy(encrypted(port, authority)::startHandshake).isInstanceOf(IOException.class);
    assertThat(isLetIn(whole)).isTrue();
    eventually(() -> assertThat(memory.used()).isEqualTo(HANDSHAKE_BYTES));
    another.close();
    eventually(() -> assertThat(memory.used()).isZero());
  }

  @Test
  void both_kinds_of_clients_log_in_where_tls_is_optional() throws Exception {
    ClientListener port = listen(LONG, tls(Mode.OPTIONAL));
    assertThat(isLetIn(encrypted(port, authority))).isTrue();
    assertThat(isLetIn(plain(port))).isTrue();
  }

  @Test
  void a_plain_client_is_closed_and_counted_where_tls_is_required() throws Exception {
    Tls tls = tls(Mode.REQUIRED);
    ClientListener port = listen(LONG, tls);
    Socket socket = plain(port);
    assertThat(letInUnlessReset(socket)).isFalse();
    eventually(() -> assertThat(port.disconnects(Disconnect.TLS)).isOne());
    assertThat(tls.failures(TlsCause.PLAIN)).isOne();
    eventually(() -> assertThat(port.connections()).isZero());
  }

  private static boolean letInUnlessReset(Socket socket) throws IOException {
    try {
      return isLetIn(socket);
    } catch (SocketException reset) {
      return false;
    }
  }

  @Test
  void a_client_that_does_not_trust_the_certificate_is_counted() throws Exception {
    Tls tls = tls(Mode.REQUIRED);
    ClientListener port = listen(LONG, tls);
    SSLSocket socket = encrypted(port, TestCertificates.OTHER);
    assertThatThrownBy(socket::startHandshake).isInstanceOf(SSLException.class);
    eventually(() -> assertThat(tls.failures(TlsCause.REFUSED)).isOne());
    assertThat(port.disconnects(Disconnect.TLS)).isOne();
    assertThat(port.disconnects(Disconnect.INTERNAL)).isZero();
  }

  @Test
  void half_a_handshake_is_closed_at_the_deadline() throws Exception {
    Tls tls = tls(Mode.REQUIRED);
    ClientListener port = listen(Duration.ofMillis(300), tls);
    Socket socket = plain(port);
    socket.getOutputStream().write(new byte[] {22, 3, 1, 1, 0, 1});
    assertThat(closed(socket)).isTrue();
    assertThat(tls.failures(TlsCause.TIMEOUT)).isOne();
    eventually(() -> assertThat(port.connections()).isZero());
  }

  @Test
  void a_client_without_login_after_tls_is_closed_at_the_deadline() throws Exception {
    Tls tls = tls(Mode.REQUIRED);
    ClientListener port = listen(Duration.ofMillis(1500), tls);
    SSLSocket socket = encrypted(port, authority);
    socket.startHandshake();
    assertThat(closed(socket)).isTrue();
    eventually(() -> assertThat(port.disconnects(Disconnect.HANDSHAKE)).isOne());
    assertThat(tls.failures(TlsCause.TIMEOUT)).isZero();
  }

  private static boolean closed(Socket socket) throws IOException {
    try {
      return socket.getInputStream().read() < 0;
    } catch (SocketException | EOFException reset) {
      return true;
    }
  }

  /**
   * Without close_notify a client cannot distinguish the end from an attack, and some report an
   * error.
   */
  @ParameterizedTest
  @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
  void a_connection_that_the_proxy_ends_is_ended_in_tls_too(String version) throws Exception {
    ClientListener port = listen(LONG, tls(Mode.REQUIRED));
    SSLSocket socket = encrypted(port, authority);
    socket.setEnabledProtocols(new String[] {version});
    assertThat(isLetIn(socket)).isTrue();
    for (int i = 0; i < MAX_REFUSED; i++) {
      socket.getOutputStream().write(WRONG);
    }
    while (socket.getInputStream().read() >= 0) {
      // The errors are read first, and then the end, which throws no exception.
    }
    eventually(() -> assertThat(port.disconnects(Disconnect.PROTOCOL)).isOne());
  }

  @Test
  void a_drained_client_reads_the_end_of_tls() throws Exception {
    ClientListener port = listen(LONG, tls(Mode.REQUIRED));
    SSLSocket socket = encrypted(port, authority);
    assertThat(isLetIn(socket)).isTrue();
    port.drain();
    assertThat(socket.getInputStream().read()).isNegative();
    eventually(() -> assertThat(port.connections()).isZero());
  }

  @Test
  void a_new_certificate_is_used_for_new_clients_and_old_ones_stay() throws Exception {
    Tls tls = tls(Mode.REQUIRED);
    ClientListener port = listen(LONG, tls);
    SSLSocket before = encrypted(port, authority);
    assertThat(isLetIn(before)).isTrue();

    TestCertificates.write(folder, "tls", TestCertificates.OTHER.issue());
    Reloading.now(tls);

    assertThat(isLetIn(encrypted(port, TestCertificates.OTHER))).isTrue();
    before.getOutputStream().write(WRONG);
    assertThat(before.getInputStream().read()).as("an answer").isNotNegative();
    assertThat(port.connections()).isEqualTo(2);
  }
}
