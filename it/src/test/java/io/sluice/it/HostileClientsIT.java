package io.sluice.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.datastax.oss.driver.api.core.CqlSession;
import io.sluice.cluster.LocalCluster;
import io.sluice.it.cluster.Capability;
import io.sluice.it.cluster.CassandraCluster;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Clients that try to crash a proxy with little memory, or to occupy it. A well-behaved client
 * reads a row all the time.
 */
@CassandraCluster(needs = Capability.IN_PROCESS_PROXY)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class HostileClientsIT {

  private static final int PORTS_FURTHER = 50;
  private static final int MIB = 1 << 20;
  private static final String SAME_ADDRESS = "127.0.0.1";
  private static final String OTHER_ADDRESS = "127.0.0.2";

  private final List<RawConnection> open = new ArrayList<>();
  private LocalCluster cluster;
  private SmallProxy proxy;
  private RawConnection bystander;

  @BeforeAll
  void start() throws IOException {
    cluster =
        LocalCluster.start(
            OwnNodes.two("hostile", PORTS_FURTHER).withNodes(1, 1).withHeap("1g"), line -> {});
    proxy = SmallProxy.start(cluster.contactPoints().get(0), "128m");
    Target node = new Target("Cassandra", false, cluster.contactPoints().get(0), "dir_");
    try (CqlSession session = JavaDriver.open(node, Wire.USUAL)) {
      Place place = new Place(session, node, "hostile");
      place.change("CREATE KEYSPACE $ks WITH replication = " + cluster.replication());
      place.change("CREATE TABLE $ks.large (k int PRIMARY KEY, v text)");
      place.run("INSERT INTO $ks.large (k, v) VALUES (1, ?)", "x".repeat(MIB));
      place.run("INSERT INTO $ks.large (k, v) VALUES (2, ?)", "small");
      place.change("CREATE TABLE $ks.wide (k int, c int, v text, PRIMARY KEY (k, c))");
      for (int c = 0; c < 160; c++) {
        place.run("INSERT INTO $ks.wide (k, c, v) VALUES (1, ?, ?)", c, "x".repeat(MIB));
      }
      place.change("CREATE TABLE $ks.scanned (k int PRIMARY KEY, v text)");
      for (int k = 0; k < 4_000; k++) {
        place.run("INSERT INTO $ks.scanned (k, v) VALUES (?, ?)", k, "x".repeat(1_000));
      }
    }
  }

  @AfterAll
  void end() {
    if (proxy != null) {
      proxy.close();
    }
    if (cluster != null) {
      cluster.close();
    }
  }

  @BeforeEach
  void connectBystander() throws IOException {
    bystander = RawConnection.ready(proxy.address(), 4);
  }

  @AfterEach
  void the_bystander_is_still_served() throws IOException {
    bystanderReads();
    assertThat(proxy.isAlive()).isTrue();
    for (RawConnection each : open) {
      each.close();
    }
    open.clear();
    bystander.close();
  }

  private void bystanderReads() throws IOException {
    bystander.send(read(7, "SELECT v FROM hostile.large WHERE k = 2"));
    assertThat(bystander.outcome(10_000)).endsWith("stream 7 opcode 8");
  }

  private static byte[] read(int stream, String cql) {
    return Bytes.frame(4, 0, stream, Bytes.QUERY, Bytes.query(4, cql));
  }

  private RawConnection connect(String from) throws IOException {
    RawConnection connection = new RawConnection(proxy.address(), from);
    open.add(connection);
    return connection;
  }

  private RawConnection ready() throws IOException {
    RawConnection connection = RawConnection.ready(proxy.address(), 4);
    open.add(connection);
    return connection;
  }

  @Test
  void lengths_of_two_gigabytes_are_not_believed() throws Exception {
    RawConnection hostile = ready();
    byte[] list = new Bytes().int16(0xFFFF).done();
    byte[] payload = new Bytes().int16(1).string("k").int32(Integer.MAX_VALUE).zeros(8).done();
    for (int i = 0; i < 5; i++) {
      hostile.send(Bytes.frame(4, 0, 1, Bytes.REGISTER, list));
      assertThat(hostile.outcome(5_000)).contains("stream 1 opcode 0 code a ");
      hostile.send(Bytes.frame(4, 4, 2, Bytes.REGISTER, payload));
      assertThat(hostile.outcome(5_000)).contains("stream 2 opcode 0 code a ");
      bystanderReads();
    }
  }

  /** Each use of a named value was a copy of it: 100 times 8 MB here. */
  @Test
  void a_large_value_that_a_statement_names_a_hundred_times_is_not_copied_as_often()
      throws Exception {
    RawConnection hostile = ready();
    for (String cql :
        List.of(
            "SELECT * FROM system_proxy.nodes WHERE rack = :a" + " AND rack = :a".repeat(99),
            "SELECT * FROM hostile.scanned WHERE v = :a"
                + " AND v = :a".repeat(99)
                + " ALLOW FILTERING")) {
      byte[] body =
          new Bytes()
              .longString(cql)
              .int16(1)
              .int8(0x49)
              .int16(1)
              .string("a")
              .int32(8 * MIB)
              .zeros(8 * MIB)
              .int32(1)
              .zeros(1)
              .done();
      hostile.send(Bytes.frame(4, 0, 3, Bytes.QUERY, body));
      assertThat(hostile.outcome(20_000)).contains("stream 3 opcode 0 code");
      bystanderReads();
    }
  }

  /** A node returns a partition without paging in one frame of 160 MB. */
  @ParameterizedTest
  @ValueSource(ints = {4, 5})
  void an_answer_that_is_larger_than_the_memory_fails_only_its_own_read(int version)
      throws Exception {
    RawConnection hostile = RawConnection.ready(proxy.address(), version);
    open.add(hostile);
    byte[] wide = Bytes.query(version, "SELECT v FROM hostile.wide WHERE k = 1");
    byte[] small = Bytes.query(version, "SELECT v FROM hostile.large WHERE k = 2");
    for (int i = 0; i < 3; i++) {
      hostile.send(Bytes.frame(version, 0, 3, Bytes.QUERY, wide));
      assertThat(hostile.outcome(30_000))
          .contains("stream 3 opcode 0 code 2200 ")
          .contains("cql.maxMemoryPercent");
      hostile.send(Bytes.frame(version, 0, 4, Bytes.QUERY, small));
      assertThat(hostile.outcome(10_000)).endsWith("stream 4 opcode 8");
      bystanderReads();
    }
  }

  @Test
  void junk_whose_answers_are_not_read_ends_its_connection() throws Exception {
    byte[] junk = Bytes.frame(6, 0, 1, Bytes.OPTIONS, new byte[0]);
    RawConnection hostile = connect(SAME_ADDRESS);
    assertThat(sends(hostile, junk, 22 * MIB)).as("22 MB were taken").isFalse();
  }

  @Test
  void requests_before_login_whose_answers_are_not_read_end_their_connection() throws Exception {
    byte[] options = Bytes.frame(4, 0, 1, Bytes.OPTIONS, new byte[0]);
    RawConnection hostile = connect(SAME_ADDRESS);
    assertThat(sends(hostile, options, 22 * MIB)).as("22 MB were taken").isFalse();
  }

  /** A segment of 513 bytes has 6,000 requests, and one read many segments. */
  @Test
  void half_a_million_compressed_requests_in_one_read_are_not_taken_at_once() throws Exception {
    byte[] startup =
        new Bytes().stringMap(Map.of("CQL_VERSION", "3.0.0", "COMPRESSION", "lz4")).done();
    RawConnection hostile = connect(SAME_ADDRESS);
    hostile.send(Bytes.frame(5, 0, 0, Bytes.STARTUP, startup));
    assertThat(hostile.outcome(5_000)).endsWith("stream 0 opcode 2");
    byte[] request = Bytes.frame(5, 0, 1, Bytes.QUERY, Bytes.query(5, "x"));
    Bytes requests = new Bytes();
    for (int n = 0; n < 120_000 / request.length; n++) {
      requests.bytes(request);
    }
    byte[] segment = Lz4Segments.of(requests.done());
    Bytes segments = new Bytes();
    for (int n = 0; n < 100; n++) {
      segments.bytes(segment);
    }
    sendIncompressible(hostile);
    hostile.sendRaw(segments.done());
    for (int i = 0; i < 20; i++) {
      bystanderReads();
      SmallProxy.Memory most = proxy.memory();
      assertThat(most.mostHeld()).as("%s", most).isLessThanOrEqualTo(most.limit());
    }
  }

  /** Sends two megabytes, so that the proxy reads as much as it can at a time from then on. */
  private static void sendIncompressible(RawConnection to) throws IOException {
    byte[] body = new byte[100_000];
    new Random(1).nextBytes(body);
    byte[] segment = Lz4Segments.of(Bytes.frame(5, 0, 1, Bytes.OPTIONS, body));
    for (int n = 0; n < 20; n++) {
      to.sendRaw(segment);
    }
  }

  /** Whether the proxy reads all these bytes from the client. */
  private static boolean sends(RawConnection to, byte[] frame, int bytes) {
    Bytes block = new Bytes();
    for (int n = 0; n < 1_000; n++) {
      block.bytes(frame);
    }
    byte[] repeated = block.done();
    try {
      for (int sent = 0; sent < bytes; sent += repeated.length) {
        to.sendRaw(repeated);
      }
      return true;
    } catch (IOException disconnected) {
      return false;
    }
  }

  @Test
  void connections_that_do_not_log_in_are_closed_and_keep_no_client_out() throws Exception {
    byte[] startup = Bytes.frame(4, 0, 1, Bytes.STARTUP, Bytes.startup());
    List<RawConnection> silent = new ArrayList<>();
    for (int i = 0; i < SmallProxy.PLACES; i++) {
      RawConnection next = connect(SAME_ADDRESS);
      silent.add(next);
      if (i % 3 == 1) {
        next.sendRaw(Arrays.copyOf(startup, startup.length / 2));
      } else if (i % 3 == 2) {
        next.sendRaw(Bytes.frame(4, 0, 1, Bytes.STARTUP, 15 * MIB, new byte[60_000]));
      }
    }
    RawConnection other = connect(OTHER_ADDRESS);
    other.send(startup);
    assertThat(other.outcome(5_000)).endsWith("opcode 2");
    for (RawConnection each : silent) {
      String last = each.outcome(SmallProxy.HANDSHAKE_SECONDS * 1_000 + 5_000);
      assertThat(last.equals("closed") ? last : each.outcome(10_000)).isEqualTo("closed");
      each.close();
    }
    // Places become free when the proxy has noticed the closed connections.
    await().atMost(Waiting.PATIENCE).ignoreExceptions().until(() -> ready() != null);
  }

  @Test
  void halves_of_frames_of_16_mb_before_login_take_no_memory() throws Exception {
    long before = proxy.memory().direct();
    byte[] half = Bytes.frame(4, 0, 1, Bytes.STARTUP, 16 * MIB, new byte[8 * MIB]);
    for (int i = 0; i < 45; i++) {
      RawConnection next = connect(i % 2 == 0 ? SAME_ADDRESS : OTHER_ADDRESS);
      try {
        next.sendRaw(half);
      } catch (IOException closed) {
        // The proxy does not wait for the other half.
      }
    }
    bystanderReads();
    SmallProxy.Memory then = proxy.memory();
    assertThat(then.direct()).as("%s", then).isLessThan(before + 4 * MIB);
  }

  @Test
  void twenty_clients_that_read_nothing_starve_no_other() throws Exception {
    for (int client = 0; client < 20; client++) {
      RawConnection greedy = ready();
      Bytes pipelined = new Bytes();
      for (int i = 0; i < 60; i++) {
        pipelined.bytes(read(i, "SELECT v FROM hostile.large WHERE k = 1"));
      }
      greedy.send(pipelined.done());
    }
    for (int i = 0; i < 40; i++) {
      bystanderReads();
      Waiting.aMoment(200);
    }
  }

  @Test
  void fifty_clients_that_pipeline_scans_and_read_nothing_stay_within_the_budget()
      throws Exception {
    List<RawConnection> greedy = new ArrayList<>();
    for (int client = 0; client < 50; client++) {
      RawConnection next = ready();
      greedy.add(next);
      Bytes pipelined = new Bytes();
      for (int i = 0; i < 40; i++) {
        pipelined.bytes(read(i, "SELECT k, v FROM hostile.scanned"));
      }
      next.send(pipelined.done());
    }
    for (int i = 0; i < 40; i++) {
      bystanderReads();
      Waiting.aMoment(200);
    }
    SmallProxy.Memory most = proxy.memory();
    assertThat(most.mostHeld()).as("%s", most).isLessThanOrEqualTo(most.limit());
    for (RawConnection each : greedy) {
      each.close();
    }
    await().atMost(Waiting.PATIENCE).until(() -> proxy.memory().held() < MIB);
    bystanderReads();
  }
}
