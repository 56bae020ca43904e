package io.sluice.accept;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBufUtil;
import io.sluice.tls.TlsConfig;
import io.sluice.wire.EventLoops;
import io.sluice.wire.Opcode;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Tests with two listeners of one port, each as in a process of its own. */
@EnabledOnOs(OS.LINUX)
@Timeout(60)
class HandoverTest {

  private static final Duration LONG = Duration.ofSeconds(10);
  private static final String OPTIONS = "040000010500000000";

  @TempDir private Path folder = Path.of("");

  private final EventLoops oldLoops = new EventLoops(1);
  private final EventLoops newLoops = new EventLoops(1);

  @AfterEach
  void close() {
    oldLoops.close();
    newLoops.close();
  }

  private Path file() {
    return folder.resolve("handover.sock");
  }

  private ClientListener listener(EventLoops loops, int port) throws IOException {
    ListenConfig config =
        new ListenConfig(
            "127.0.0.1",
            port,
            1_000,
            1 << 20,
            10,
            1 << 20,
            LONG,
            50,
            0,
            TlsConfig.off(TlsConfig.Side.CLIENT),
            List.of(),
            file());
    return new ClientListener(config, loops, new FakePath());
  }

  private ClientListener serving(EventLoops loops, Runnable taken) throws IOException {
    ClientListener listener = listener(loops, 0);
    listener.serves(taken);
    Awaitility.await().atMost(LONG).until(() -> Files.exists(file()));
    return listener;
  }

  private static Socket connect(InetSocketAddress address) throws IOException {
    Socket socket = new Socket();
    socket.setSoTimeout(10_000);
    // Resets, so that thousands of closed connections leave no port in TIME_WAIT.
    socket.setSoLinger(true, 0);
    socket.connect(address);
    return socket;
  }

  /** Sends OPTIONS and reads the response. */
  private static int asks(Socket socket) throws IOException {
    socket.getOutputStream().write(ByteBufUtil.decodeHexDump(OPTIONS));
    DataInputStream in = new DataInputStream(socket.getInputStream());
    in.skipNBytes(4);
    int opcode = in.read();
    in.skipNBytes(in.readInt());
    return opcode;
  }

  private SocketChannel asking() throws IOException {
    return SocketChannel.open(UnixDomainSocketAddress.of(file()));
  }

  private static void awaitConnections(ClientListener listener, int expected) {
    Awaitility.await().atMost(LONG).until(() -> listener.connections() == expected);
  }

  @Test
  void the_old_process_accepts_until_the_new_one_serves_and_keeps_its_clients() throws Exception {
    CountDownLatch taken = new CountDownLatch(1);
    ClientListener before = serving(oldLoops, taken::countDown);
    ClientListener after = listener(newLoops, 0);
    assertThat(after.address()).isEqualTo(before.address());
    try (Socket old = connect(before.address())) {
      awaitConnections(before, 1);
      assertThat(after.connections()).isZero();

      after.serves(() -> {});
      assertThat(taken.await(10, TimeUnit.SECONDS)).isTrue();
      assertThat(before.isHandedOver()).isTrue();
      try (Socket next = connect(after.address())) {
        awaitConnections(after, 1);
        assertThat(asks(next)).isEqualTo(Opcode.SUPPORTED);
        assertThat(asks(old)).isEqualTo(Opcode.SUPPORTED);
        assertThat(before.connections()).isEqualTo(1);
      }
    } finally {
      before.close();
      after.close();
    }
    assertThat(Files.exists(file())).isFalse();
  }

  @Test
  void a_port_that_is_not_taken_over_has_no_other_process() throws Exception {
    AtomicBoolean alone = new AtomicBoolean();
    try (ClientListener listener = listener(oldLoops, 0)) {
      listener.whenAlone(() -> alone.set(true));
      assertThat(alone).isTrue();
    }
  }

  @Test
  void the_new_process_is_alone_at_the_port_when_the_old_one_has_closed_it() throws Exception {
    CountDownLatch alone = new CountDownLatch(1);
    AtomicBoolean closed = new AtomicBoolean();
    ClientListener before = serving(oldLoops, () -> closed.set(true));
    ClientListener after = listener(newLoops, 0);
    after.whenAlone(alone::countDown);
    try (Socket socket = connect(before.address())) {
      assertThat(asks(socket)).isEqualTo(Opcode.SUPPORTED);
      assertThat(alone.getCount()).as("while the old process serves").isEqualTo(1);
    }
    after.serves(() -> {});
    assertThat(alone.await(10, TimeUnit.SECONDS)).isTrue();
    Awaitility.await().atMost(LONG).untilTrue(closed);
    before.close();
    after.close();
  }

  @Test
  void no_connection_is_refused_or_lost_while_the_port_changes_hands() throws Exception {
    AtomicBoolean ending = new AtomicBoolean();
    AtomicInteger served = new AtomicInteger();
    Queue<String> errors = new ConcurrentLinkedQueue<>();
    ClientListener first = serving(oldLoops, () -> {});
    InetSocketAddress address = first.address();
    Thread[] clients = new Thread[4];
    for (int i = 0; i < clients.length; i++) {
      clients[i] =
          new Thread(
              () -> {
                while (!ending.get()) {
                  try (Socket socket = connect(address)) {
                    assertThat(asks(socket)).isEqualTo(Opcode.SUPPORTED);
                    served.incrementAndGet();
                  } catch (IOException | AssertionError e) {
                    errors.add(e.toString());
                  }
                }
              });
      clients[i].start();
    }
    ClientListener now = first;
    for (int i = 0; i < 10; i++) {
      int before = served.get();
      Awaitility.await().atMost(LONG).until(() -> Files.exists(file()));
      ClientListener next = listener(i % 2 == 0 ? newLoops : oldLoops, address.getPort());
      next.serves(() -> {});
      ClientListener old = now;
      Awaitility.await().atMost(LONG).until(old::isHandedOver);
      old.drain();
      Awaitility.await().atMost(LONG).until(() -> old.connections() == 0);
      old.close();
      now = next;
      Awaitility.await().atMost(LONG).until(() -> served.get() > before + 20);
    }
    ending.set(true);
    for (Thread client : clients) {
      client.join();
    }
    now.close();
    assertThat(errors).as("of %d connections", served.get()).isEmpty();
  }

  @Test
  void when_the_new_process_ends_before_it_serves_the_old_one_goes_on() throws Exception {
    CountDownLatch taken = new CountDownLatch(1);
    ClientListener before = serving(oldLoops, taken::countDown);
    listener(newLoops, 0).close();
    newLoops.close();
    try (Socket socket = connect(before.address())) {
      assertThat(asks(socket)).isEqualTo(Opcode.SUPPORTED);
      assertThat(taken.getCount()).isEqualTo(1);
      assertThat(before.isHandedOver()).isFalse();
    }
    before.close();
  }

  /** The socket stays open in the new process, so the system would accept without an answer. */
  @Test
  void when_the_old_process_ends_first_the_new_one_accepts_although_it_does_not_serve_yet()
      throws Exception {
    ClientListener before = serving(oldLoops, () -> {});
    ClientListener after = listener(newLoops, 0);
    before.close();
    try (Socket socket = connect(after.address())) {
      assertThat(asks(socket)).isEqualTo(Opcode.SUPPORTED);
    }
    after.serves(() -> {});
    Awaitility.await().atMost(LONG).until(() -> Files.exists(file()));
    after.close();
  }

  @Test
  void of_two_processes_that_ask_the_second_gets_the_port_when_the_first_has_ended()
      throws Exception {
    ClientListener before = serving(oldLoops, () -> {});
    SocketChannel first = asking();
    assertThat(first.read(ByteBuffer.allocate(1))).as("the descriptor's byte").isOne();
    try (SocketChannel second = asking()) {
      second.write(ByteBuffer.allocate(1));
      first.close();
      assertThat(second.read(ByteBuffer.allocate(1))).as("the descriptor's byte").isOne();
    }
    before.close();
  }

  /** Both would accept the clients of one port, and remove the socket file of the other. */
  @Test
  void of_two_processes_that_ask_only_one_gets_the_port() throws Exception {
    CountDownLatch taken = new CountDownLatch(1);
    ClientListener before = serving(oldLoops, taken::countDown);
    try (SocketChannel first = asking();
        SocketChannel second = asking()) {
      assertThat(first.read(ByteBuffer.allocate(1))).as("the descriptor's byte").isOne();
      first.write(ByteBuffer.allocate(1));
      assertThat(second.read(ByteBuffer.allocate(1))).as("the end").isNegative();
      assertThat(first.read(ByteBuffer.allocate(1))).as("the end").isNegative();
      assertThat(taken.await(10, TimeUnit.SECONDS)).isTrue();
    }
    before.close();
  }

  @Test
  void another_port_than_the_one_handed_over_is_an_error_and_the_old_process_goes_on()
      throws Exception {
    ClientListener before = serving(oldLoops, () -> {});
    int port = before.address().getPort();
    assertThatThrownBy(() -> listener(newLoops, port == 1 ? 2 : 1))
        .isInstanceOf(IOException.class)
        .hasMessage(
            "The process at cql.handover %s has port %d, and cql.port is 1"
                .formatted(file(), port));
    try (Socket socket = connect(before.address())) {
      assertThat(asks(socket)).isEqualTo(Opcode.SUPPORTED);
    }
    before.close();
  }

  @Test
  void a_file_left_by_a_killed_process_is_replaced_by_a_private_one() throws Exception {
    Files.createFile(file());
    ClientListener listener = listener(oldLoops, 0);
    listener.serves(() -> {});
    Awaitility.await()
        .atMost(LONG)
        .until(
            () ->
                PosixFilePermissions.toString(Files.getPosixFilePermissions(file()))
                    .equals("rw-------"));
    listener.close();
  }

  /** Otherwise another user could take the port in the moment after the file appears. */
  @Test
  void the_file_is_private_from_its_first_moment_and_leaves_nothing_beside_it() throws Exception {
    AtomicBoolean ended = new AtomicBoolean();
    Set<String> modes = ConcurrentHashMap.newKeySet();
    Thread looking =
        new Thread(
            () -> {
              while (!ended.get()) {
                try {
                  modes.add(PosixFilePermissions.toString(Files.getPosixFilePermissions(file())));
                } catch (IOException e) {
                  // It does not exist.
                }
              }
            });
    looking.start();
    try {
      for (int i = 0; i < 50; i++) {
        ClientListener listener = serving(oldLoops, () -> {});
        try (Stream<Path> files = Files.list(folder)) {
          assertThat(files).containsExactly(file());
        }
        listener.close();
        assertThat(folder).isEmptyDirectory();
      }
    } finally {
      ended.set(true);
      looking.join();
    }
    assertThat(modes).containsExactly("rw-------");
  }

  @Test
  void a_port_of_another_program_is_in_use_as_without_a_hand_over() throws Exception {
    try (ServerSocket other = new ServerSocket(0)) {
      assertThatThrownBy(() -> listener(oldLoops, other.getLocalPort()))
          .hasMessageContaining("Cannot listen for CQL");
    }
  }

  /** Two processes with one port would each answer half of the clients. */
  @Test
  void a_process_that_does_not_pass_its_port_is_an_error_that_says_what_to_do() throws Exception {
    try (ServerSocketChannel mute = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      mute.bind(UnixDomainSocketAddress.of(file()));
      Thread closing =
          new Thread(
              () -> {
                try {
                  mute.accept().close();
                } catch (IOException e) {
                  throw new IllegalStateException(e);
                }
              });
      closing.start();
      assertThatThrownBy(() -> listener(newLoops, 0))
          .isInstanceOf(IOException.class)
          .hasMessageStartingWith("The process at cql.handover " + file())
          .hasMessageEndingWith("; end it first, or another process that waits for its port");
      closing.join();
    }
    assertThat(Files.exists(file())).as("it is the other process's").isTrue();
  }

  @Test
  void a_hand_over_that_cannot_be_offered_does_not_keep_clients_out() throws Exception {
    Path missing = folder.resolve("missing").resolve("handover.sock");
    ListenConfig config = ListenConfig.on("127.0.0.1", 0).withHandover(missing);
    try (ClientListener listener = new ClientListener(config, oldLoops, new FakePath())) {
      listener.serves(() -> {});
      try (Socket socket = connect(listener.address())) {
        assertThat(asks(socket)).isEqualTo(Opcode.SUPPORTED);
      }
      assertThat(listener.isHandedOver()).isFalse();
    }
    assertThat(folder).isEmptyDirectory();
  }

  @Test
  void a_listener_that_closes_before_it_serves_offers_nothing() throws Exception {
    ClientListener listener = listener(oldLoops, 0);
    listener.close();
    listener.serves(() -> {});
    assertThat(folder).isEmptyDirectory();
  }

  @Test
  void a_process_that_only_looks_takes_nothing() throws Exception {
    CountDownLatch taken = new CountDownLatch(1);
    ClientListener before = serving(oldLoops, taken::countDown);
    for (int i = 0; i < 3; i++) {
      try (SocketChannel looks = asking()) {
        assertThat(looks.read(ByteBuffer.allocate(1))).as("the descriptor's byte").isOne();
      }
    }
    try (Socket socket = connect(before.address())) {
      assertThat(asks(socket)).isEqualTo(Opcode.SUPPORTED);
    }
    assertThat(taken.getCount()).isEqualTo(1);
    assertThat(Files.exists(file())).isTrue();
    before.close();
  }

  @Test
  void a_closed_listener_has_removed_its_file_once() throws Exception {
    ClientListener before = serving(oldLoops, () -> {});
    before.close();
    assertThat(folder).isEmptyDirectory();
    Files.createFile(file());
    before.close();
    assertThat(Files.exists(file())).as("the next process's").isTrue();
  }
}
