package io.sluice.accept;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBufUtil;
import io.sluice.time.Lane;
import io.sluice.wire.CqlCodec;
import io.sluice.wire.EventLoops;
import io.sluice.wire.Opcode;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.Socket;
import java.net.SocketException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Tests of the CQL port with connecting and leaving clients; the rest of the request path is a
 * fake.
 */
class ClientListenerTest {

  private static final int CLOSED = -1;
  private static final int MAX = 4;
  private static final Duration HANDSHAKE = Duration.ofSeconds(30);

  /** STARTUP with CQL_VERSION 3.0.0, on stream 1. */
  private static final String STARTUP =
      "0400000101000000160001000b43514c5f56455253494f4e0005332e302e30";

  private static final String QUERY = "0400000207000000080000000178000100";

  private final EventLoops loops = new EventLoops(2);
  private final Lane first = loops.anyLane();
  private final Lane second = loops.anyLane();
  private final Path path = new Path();
  private final ClientListener listener;
  private final List<Socket> sockets = new ArrayList<>();

  ClientListenerTest() throws IOException {
    listener = new ClientListener(on(0), loops, path);
  }

  private static ListenConfig on(int port) {
    return new ListenConfig("127.0.0.1", port, MAX, 1 << 20, 10, 1 << 20, HANDSHAKE, 50);
  }

  /** Lets every client log in and records its requests. */
  private static final class Path implements ClientHandler {
    final BlockingQueue<ClientRequest> asked = new LinkedBlockingQueue<>();
    final Set<Long> gone = ConcurrentHashMap.newKeySet();

    @Override
    public Map<String, List<String>> supported() {
      return Map.of();
    }

    @Override
    public Handshake startup(ClientRequest startup, Map<String, String> options) {
      startup.frame().release();
      startup.client().lane().execute(() -> startup.replyTo().reply(CqlCodec.ready(4)));
      return new Handshake() {
        @Override
        public void authResponse(ClientRequest response) {
          throw new AssertionError("no client is asked for a proof");
        }

        @Override
        public void end() {}
      };
    }

    @Override
    public void handle(ClientRequest request) {
      request.frame().release();
      asked.add(request);
    }

    @Override
    public void registered(Client client) {}

    @Override
    public void gone(Client client) {
      gone.add(client.id());
    }

    ClientRequest next() throws InterruptedException {
      return Objects.requireNonNull(asked.poll(10, TimeUnit.SECONDS), "a request within 10 s");
    }
  }

  private Socket connect() throws IOException {
    Socket socket = new Socket();
    sockets.add(socket);
    socket.setSoTimeout(10_000);
    socket.connect(listener.address());
    return socket;
  }

  private Socket client() throws IOException {
    Socket socket = connect();
    send(socket, STARTUP);
    assertThat(answer(socket)).isEqualTo(Opcode.READY);
    return socket;
  }

  private static void send(Socket socket, String hex) throws IOException {
    socket.getOutputStream().write(ByteBufUtil.decodeHexDump(hex));
  }

  /** Returns the opcode of the next response, or {@link #CLOSED}. */
  private static int answer(Socket socket) throws IOException {
    try {
      DataInputStream in = new DataInputStream(socket.getInputStream());
      if (in.read() < 0) {
        return CLOSED;
      }
      in.skipNBytes(3);
      int opcode = in.read();
      in.skipNBytes(in.readInt());
      return opcode;
    } catch (SocketException reset) {
      return CLOSED;
    }
  }

  private void awaitConnections(int expected) {
    Awaitility.await()
        .atMost(Duration.ofSeconds(10))
        .untilAsserted(() -> assertThat(listener.connections()).isEqualTo(expected));
  }

  @AfterEach
  void close() throws IOException {
    listener.close();
    for (Socket socket : sockets) {
      socket.close();
    }
    loops.close();
  }

  @Test
  void clients_connect_to_the_bound_port() throws Exception {
    assertThat(listener.address().getPort()).isPositive();
    client();
    assertThat(listener.connections()).isEqualTo(1);
  }

  @Test
  void no_two_clients_have_the_same_id() throws Exception {
    send(client(), QUERY);
    send(client(), QUERY);
    assertThat(path.next().client().id()).isNotEqualTo(path.next().client().id());
  }

  @Test
  void clients_above_the_limit_are_closed_at_once_until_one_leaves() throws Exception {
    Socket leaves = client();
    Socket stays = client();
    for (int i = 2; i < MAX; i++) {
      client();
    }
    for (int i = 0; i < 3; i++) {
      assertThat(answer(connect())).isEqualTo(CLOSED);
    }
    assertThat(listener.connections()).isEqualTo(MAX);
    send(stays, QUERY);
    path.next();
    leaves.close();
    awaitConnections(MAX - 1);
    client();
    assertThat(path.gone).hasSize(1);
  }

  @Test
  void draining_closes_idle_connections_at_once_and_others_after_their_last_response()
      throws Exception {
    Socket idle = client();
    Socket busy = client();
    send(busy, QUERY);
    ClientRequest request = path.next();
    listener.drain();
    assertThat(answer(idle)).isEqualTo(CLOSED);
    awaitConnections(1);
    request.replyTo().reply(CqlCodec.ready(4));
    assertThat(answer(busy)).isEqualTo(Opcode.READY);
    assertThat(answer(busy)).isEqualTo(CLOSED);
    awaitConnections(0);
  }

  /** Closing a socket with unread requests would reset it and lose responses. */
  @Test
  void draining_loses_no_response_when_requests_are_unread() throws Exception {
    Socket busy = client();
    send(busy, QUERY);
    ClientRequest request = path.next();
    listener.drain();
    CountDownLatch drains = new CountDownLatch(1);
    request.client().lane().execute(drains::countDown);
    assertThat(drains.await(10, TimeUnit.SECONDS)).isTrue();
    send(busy, QUERY.repeat(10));
    for (int i = 0; i < 10; i++) {
      assertThat(answer(busy)).as("refused").isEqualTo(Opcode.ERROR);
    }
    request.replyTo().reply(CqlCodec.error(4, 0, "x".repeat(4_000)));
    for (int i = 0; i < 100; i++) {
      send(busy, QUERY.repeat(10));
    }
    assertThat(answer(busy)).isEqualTo(Opcode.ERROR);
    int last = answer(busy);
    while (last != CLOSED) {
      last = answer(busy);
    }
    assertThat(path.asked).isEmpty();
    busy.close();
    awaitConnections(0);
  }

  @Test
  void a_client_that_stays_after_its_last_response_is_closed_after_a_moment() throws Exception {
    Socket stays = client();
    listener.drain();
    assertThat(answer(stays)).isEqualTo(CLOSED);
    awaitConnections(0);
  }

  @Test
  void silent_connections_of_one_address_take_half_of_the_places() throws Exception {
    connect();
    connect();
    awaitConnections(MAX / 2);
    assertThat(answer(connect())).isEqualTo(CLOSED);
    assertThat(listener.disconnects(Disconnect.PLACES)).isOne();
    assertThat(listener.disconnects().get("places").getAsLong()).isOne();
    assertThat(listener.disconnects().get("rate").getAsLong()).isZero();
  }

  @Test
  void clients_are_counted_by_the_family_of_their_driver() throws Exception {
    client().close();
    client();
    awaitConnections(1);
    assertThat(listener.drivers().get("unnamed").getAsInt()).isOne();
    assertThat(listener.drivers().get("java").getAsInt()).isZero();
  }

  @Test
  void closing_does_not_wait_for_responses() throws Exception {
    Socket idle = client();
    Socket busy = client();
    send(busy, QUERY);
    path.next();
    listener.close();
    assertThat(answer(idle)).isEqualTo(CLOSED);
    assertThat(answer(busy)).isEqualTo(CLOSED);
    awaitConnections(0);
    assertThat(path.gone).hasSize(2);
  }

  /**
   * One lane accepts a connection and another serves it. The listener knows the connection only
   * when the second lane, which may be busy, registers it.
   */
  private Socket halfAccepted(CountDownLatch busy) throws IOException {
    second.execute(
        () -> {
          try {
            assertThat(busy.await(10, TimeUnit.SECONDS)).isTrue();
          } catch (InterruptedException e) {
            throw new AssertionError(e);
          }
        });
    Socket half = connect();
    connect();
    awaitConnections(1);
    assertThat(first.isCurrent()).isFalse();
    return half;
  }

  @Test
  void a_connection_that_was_being_accepted_when_draining_began_is_closed_too() throws Exception {
    CountDownLatch busy = new CountDownLatch(1);
    Socket half = halfAccepted(busy);
    listener.drain();
    busy.countDown();
    assertThat(answer(half)).isEqualTo(CLOSED);
    awaitConnections(0);
  }

  @Test
  void a_connection_that_was_being_accepted_when_the_port_closed_is_closed_too() throws Exception {
    CountDownLatch busy = new CountDownLatch(1);
    Socket half = halfAccepted(busy);
    listener.close();
    busy.countDown();
    assertThat(answer(half)).isEqualTo(CLOSED);
    awaitConnections(0);
  }
}
