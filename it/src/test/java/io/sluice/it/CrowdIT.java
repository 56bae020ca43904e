package io.sluice.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.datastax.oss.driver.api.core.CqlSession;
import io.sluice.it.cluster.Capability;
import io.sluice.it.cluster.CassandraCluster;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Ten thousand connections that do not log in, of ten addresses: idle ones, and some that send a
 * login byte by byte. A client that has logged in reads all the time, and what each of them costs
 * is measured.
 */
@Tag("long")
@CassandraCluster(needs = Capability.IN_PROCESS_PROXY)
class CrowdIT {

  private static final int IDLE = Integer.getInteger("sluice.it.crowd", 10_000);
  private static final int SLOW = 200;
  private static final int ADDRESSES = 10;
  private static final int NEW_A_SECOND = 2_000;
  private static final int HALVES = 2_000;
  private static final int READS = 1_000;

  /** What each connection may cost before its login: heap and buffers. */
  private static final long MOST_BYTES = 8 * 1024;

  /** Bytes of a frame that are as many as a connection may hold in any crowd. */
  private static final int BEGUN_BYTES = 1_000;

  /** Heap that may remain of each connection that has closed; one with a session takes 2,900 B. */
  private static final long LEFT_BYTES = 250;

  /** Files and links that the proxy may open meanwhile. */
  private static final long SPARE_DESCRIPTORS = 10;

  private final List<RawConnection> open = new ArrayList<>();

  @TempDir private Path tls;

  @AfterEach
  void close() throws IOException {
    for (RawConnection each : open) {
      each.close();
    }
  }

  private RawConnection connect(SmallProxy proxy) throws IOException {
    RawConnection next =
        new RawConnection(proxy.address(), "127.0.0." + (2 + open.size() % ADDRESSES));
    open.add(next);
    return next;
  }

  /** The time of a read in microseconds, half of them shorter and one in a hundred longer. */
  private record Times(long median, long slowest) {
    static Times of(RawConnection reader) throws IOException {
      long[] micros = new long[READS];
      for (int i = 0; i < READS; i++) {
        long begin = System.nanoTime();
        reader.send(
            Bytes.frame(4, 0, 7, Bytes.QUERY, Bytes.query(4, "SELECT v FROM crowd.t WHERE k = 1")));
        assertThat(reader.outcome(10_000)).endsWith("stream 7 opcode 8");
        micros[i] = (System.nanoTime() - begin) / 1_000;
      }
      Arrays.sort(micros);
      return new Times(micros[READS / 2], micros[READS * 99 / 100]);
    }
  }

  private static InetSocketAddress node() throws IOException {
    Stage stage = Stage.plain();
    stage.needsProxy();
    // Through Sluice, which answers when all nodes know the table.
    try (CqlSession session = JavaDriver.open(stage.sluice(), Wire.USUAL)) {
      session.execute(
          "CREATE KEYSPACE IF NOT EXISTS crowd WITH replication ="
              + " {'class': 'SimpleStrategy', 'replication_factor': 1}");
      session.execute("CREATE TABLE IF NOT EXISTS crowd.t (k int PRIMARY KEY, v text)");
      session.execute("INSERT INTO crowd.t (k, v) VALUES (1, 'small')");
    }
    return stage.direct().address();
  }

  @Test
  void ten_thousand_connections_before_login_cost_little_and_hurt_no_other() throws Exception {
    InetSocketAddress node = node();
    try (SmallProxy proxy = SmallProxy.start(node, "128m", 2 * IDLE, 120);
        RawConnection good = RawConnection.ready(proxy.address(), 4)) {
      Times.of(good);
      Times alone = Times.of(good);
      SmallProxy.Memory before = proxy.memory();

      for (int i = 0; i < IDLE; i++) {
        connect(proxy);
      }
      Times beside = Times.of(good);
      SmallProxy.Memory idle = proxy.memory();

      byte[] startup = Bytes.frame(4, 0, 1, Bytes.STARTUP, Bytes.startup());
      for (int at = 0; at < startup.length - 1; at++) {
        for (RawConnection slow : open.subList(0, SLOW)) {
          slow.sendRaw(new byte[] {startup[at]});
        }
      }
      Times besideSlow = Times.of(good);

      // The beginning of a frame of 60,000 bytes.
      byte[] begun = Bytes.frame(4, 0, 1, Bytes.STARTUP, 60_000, new byte[BEGUN_BYTES]);
      for (RawConnection each : open.subList(SLOW, IDLE)) {
        each.sendRaw(begun);
      }
      Times besideHalves = Times.of(good);
      SmallProxy.Memory halves = proxy.memory();

      System.out.printf(
          "%d idle: %d B each; alone %s, beside them %s, %d slow logins %s,"
              + " half frames of %d B each %s, all of them %s%n",
          IDLE,
          each(before, idle),
          alone,
          beside,
          SLOW,
          besideSlow,
          each(before, halves),
          besideHalves,
          halves);
      assertThat(each(before, idle)).isLessThan(MOST_BYTES);
      assertThat(each(before, halves)).isLessThan(MOST_BYTES);
      assertThat(halves.pinned()).isLessThan(halves.limit() / 4);
      assertThat(proxy.isAlive()).isTrue();
    }
  }

  /** Returns the bytes of heap and buffers that each connection has cost. */
  private static long each(SmallProxy.Memory before, SmallProxy.Memory now) {
    return (now.heap() - before.heap() + now.direct() - before.direct()) / IDLE;
  }

  /** Each is opened and closed at once, half of them after half of a login. */
  @Test
  void two_thousand_new_connections_a_second_hurt_no_other() throws Exception {
    try (SmallProxy proxy = SmallProxy.start(node(), "128m", 2 * IDLE, 120);
        RawConnection good = RawConnection.ready(proxy.address(), 4)) {
      Times.of(good);
      Times alone = Times.of(good);
      SmallProxy.Footprint before = proxy.footprint();
      byte[] startup = Bytes.frame(4, 0, 1, Bytes.STARTUP, Bytes.startup());
      byte[] half = Arrays.copyOf(startup, startup.length / 2);
      AtomicBoolean ended = new AtomicBoolean();
      AtomicInteger came = new AtomicInteger();
      Thread crowd =
          new Thread(
              () -> {
                long begin = System.nanoTime();
                while (!ended.get()) {
                  int number = came.incrementAndGet();
                  try (RawConnection next =
                      new RawConnection(proxy.address(), "127.0.0." + (2 + number % ADDRESSES))) {
                    if (number % 2 == 0) {
                      next.sendRaw(half);
                    }
                  } catch (IOException e) {
                    // It was not taken.
                  }
                  long due = begin + number * (1_000_000_000L / NEW_A_SECOND);
                  LockSupport.parkNanos(due - System.nanoTime());
                }
              },
              "crowd");
      long begin = System.nanoTime();
      crowd.start();
      Times beside = Times.of(good);
      Times besideLonger = Times.of(good);
      ended.set(true);
      crowd.join();
      double rate = came.get() / ((System.nanoTime() - begin) / 1e9);
      System.out.printf(
          "%.0f new connections a second: alone %s, beside them %s, then %s; %s%n",
          rate, alone, beside, besideLonger, proxy.footprint());
      await().atMost(Waiting.PATIENCE).until(() -> proxy.footprint().clients() == 1);
      SmallProxy.Footprint after = proxy.footprint();
      assertThat(after.descriptors()).isLessThanOrEqualTo(before.descriptors() + SPARE_DESCRIPTORS);
      assertThat(after.memory().held()).isLessThan(MOST_BYTES);
      assertThat(after.memory().heap())
          .isLessThan(before.memory().heap() + came.get() * LEFT_BYTES);
      assertThat(after.evicted()).isZero();
    }
  }

  /** They hold at most the share of the memory that is for them; what is above it is closed. */
  @Test
  void half_tls_handshakes_stay_within_their_share() throws Exception {
    try (SmallProxy proxy = SmallProxy.startWithTls(node(), "128m", 2 * IDLE, 120, tls);
        RawConnection good = RawConnection.ready(proxy.address(), 4)) {
      Times.of(good);
      Times alone = Times.of(good);
      SmallProxy.Memory before = proxy.memory();
      // A record of a handshake with a ClientHello of 512 bytes, of which 100 come.
      byte[] half = new byte[100];
      byte[] head = {22, 3, 1, 2, 0, 1, 0, 1, (byte) 0xfc, 3, 3};
      System.arraycopy(head, 0, half, 0, head.length);
      for (int i = 0; i < HALVES; i++) {
        connect(proxy).sendRaw(half);
      }
      Times beside = Times.of(good);
      SmallProxy.Memory then = proxy.memory();
      System.out.printf(
          "%d half TLS handshakes: %d B heap each; alone %s, beside them %s; %s%n",
          HALVES, (then.heap() - before.heap()) / HALVES, alone, beside, then);
      assertThat(then.held()).isLessThanOrEqualTo(then.limit() / 8 + before.held());
      assertThat(proxy.isAlive()).isTrue();
    }
  }

  /** They have completed their handshakes and do not log in. */
  @Test
  void tls_connections_before_login_stay_within_their_share() throws Exception {
    try (SmallProxy proxy = SmallProxy.startWithTls(node(), "128m", 2 * IDLE, 120, tls);
        RawConnection good = RawConnection.ready(proxy.address(), 4)) {
      Times.of(good);
      SmallProxy.Memory before = proxy.memory();
      SSLSocketFactory secure = TestAuthority.trusting(tls.resolve("ca.crt")).getSocketFactory();
      List<Socket> sockets = new ArrayList<>();
      int secured = 0;
      for (int i = 0; i < HALVES; i++) {
        Socket socket = new Socket();
        sockets.add(socket);
        socket.bind(new InetSocketAddress("127.0.0." + (2 + i % ADDRESSES), 0));
        socket.setSoTimeout(10_000);
        socket.connect(proxy.address(), 5_000);
        try {
          SSLSocket client =
              (SSLSocket) secure.createSocket(socket, "localhost", socket.getPort(), true);
          // Kept, because the collector closes an SSLSocket that nothing refers to.
          sockets.add(client);
          client.startHandshake();
          secured++;
        } catch (IOException e) {
          // The proxy has closed it.
        }
      }
      Times beside = Times.of(good);
      SmallProxy.Footprint then = proxy.footprint();
      for (Socket each : sockets) {
        each.close();
      }
      System.out.printf(
          "%d TLS connections, %d secured, %d B heap each of %d; beside them %s; %s%n",
          HALVES,
          secured,
          (then.memory().heap() - before.heap()) / then.clients(),
          then.clients(),
          beside,
          then.memory());
      assertThat(then.memory().held())
          .isLessThanOrEqualTo(then.memory().limit() / 8 + before.held());
      assertThat(then.clients()).as("some were refused").isBetween(2, HALVES);
    }
  }
}
