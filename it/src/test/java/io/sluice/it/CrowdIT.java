package io.sluice.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlSession;
import io.sluice.it.cluster.Capability;
import io.sluice.it.cluster.CassandraCluster;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

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
  private static final int READS = 1_000;

  /** What an idle connection may cost before its login: heap and buffers. */
  private static final long MOST_BYTES = 8 * 1024;

  private final List<RawConnection> open = new ArrayList<>();

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

  @Test
  void ten_thousand_connections_before_login_cost_little_and_hurt_no_other() throws Exception {
    Stage stage = Stage.plain();
    stage.needsProxy();
    InetSocketAddress node = stage.direct().address();
    // Through Sluice, which answers when all nodes know the table.
    try (CqlSession session = JavaDriver.open(stage.sluice(), Wire.USUAL)) {
      session.execute(
          "CREATE KEYSPACE IF NOT EXISTS crowd WITH replication ="
              + " {'class': 'SimpleStrategy', 'replication_factor': 1}");
      session.execute("CREATE TABLE IF NOT EXISTS crowd.t (k int PRIMARY KEY, v text)");
      session.execute("INSERT INTO crowd.t (k, v) VALUES (1, 'small')");
    }
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

      // The header of a frame of 60,000 bytes, of which nothing follows.
      byte[] header = Bytes.frame(4, 0, 1, Bytes.STARTUP, 60_000, new byte[1]);
      for (RawConnection each : open.subList(SLOW, IDLE)) {
        each.sendRaw(header);
      }
      Times besideHalves = Times.of(good);
      SmallProxy.Memory halves = proxy.memory();

      long heap = (idle.heap() - before.heap()) / IDLE;
      long direct = (idle.direct() - before.direct()) / IDLE;
      System.out.printf(
          "%d idle: %d B heap and %d B direct each; alone %s, beside them %s, %d slow logins %s,"
              + " half frames %s, all of them %s%n",
          IDLE, heap, direct, alone, beside, SLOW, besideSlow, besideHalves, halves);
      assertThat(heap + direct).isLessThan(MOST_BYTES);
      assertThat(halves.held()).isLessThan(halves.limit());
      assertThat(proxy.isAlive()).isTrue();
    }
  }
}
