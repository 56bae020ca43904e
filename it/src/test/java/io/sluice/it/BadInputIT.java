package io.sluice.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.it.cluster.Capability;
import io.sluice.it.cluster.CassandraCluster;
import io.sluice.wire.Buffers;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Invalid bytes: the sender gets a protocol error or is disconnected, and other clients are not
 * affected.
 */
@CassandraCluster
class BadInputIT {
  private static final int MIB = 1 << 20;

  private RawConnection bystander = bystander();

  /**
   * Bytes that no driver sends.
   *
   * @param name the fault
   * @param version protocol version of the handshake before; 0 for none
   * @param bytes the bytes
   */
  record Bad(String name, int version, List<Byte> bytes) {

    static Bad of(String name, int version, byte[] bytes) {
      List<Byte> list = new ArrayList<>();
      for (byte b : bytes) {
        list.add(b);
      }
      return new Bad(name, version, list);
    }

    byte[] array() {
      byte[] array = new byte[bytes.size()];
      for (int i = 0; i < array.length; i++) {
        array[i] = bytes.get(i);
      }
      return array;
    }

    @Override
    public String toString() {
      return name + (version == 0 ? " before STARTUP" : " in version " + version);
    }
  }

  @BeforeEach
  void connectBystander() throws IOException {
    bystander.close();
    bystander = bystander();
  }

  @AfterEach
  void the_bystander_is_still_served() throws IOException {
    byte[] query = Bytes.query(4, "SELECT key FROM system.local");
    bystander.send(Bytes.frame(4, 0, 77, Bytes.QUERY, query));
    assertThat(bystander.outcome(10_000)).endsWith("stream 77 opcode 8");
    bystander.close();
  }

  /**
   * Returns input that Cassandra answers on the same stream with the same code, but with another
   * message.
   */
  static Stream<Bad> answeredWithCode() {
    return Stream.of(
        Bad.of("version 6", 0, Bytes.frame(6, 0, 3, Bytes.OPTIONS, new byte[0])),
        Bad.of("version 66", 0, Bytes.frame(66, 0, 3, Bytes.OPTIONS, new byte[0])),
        Bad.of("unknown opcode", 0, Bytes.frame(4, 0, 3, 0x33, new byte[0])),
        Bad.of("unknown opcode", 4, Bytes.frame(4, 0, 3, 0x33, new byte[0])),
        Bad.of(
            "an unknown compression",
            0,
            startup(Map.of("CQL_VERSION", "3.0.0", "COMPRESSION", "zip"))),
        Bad.of("a text longer than the body", 4, query(new Bytes().int32(1000).hex("53454c"))),
        Bad.of("a text of negative length", 4, query(new Bytes().int32(-7).hex("000100"))),
        Bad.of("no body", 4, query(new Bytes())),
        Bad.of(
            "a batch that ends early",
            4,
            Bytes.frame(4, 0, 3, Bytes.BATCH, new Bytes().int8(0).int16(5).int8(0).done())));
  }

  /** Returns input that Cassandra answers with the same message, too. */
  static Stream<Bad> answered() {
    return Stream.of(
        Bad.of("QUERY", 0, Bytes.frame(4, 0, 3, Bytes.QUERY, Bytes.query(4, "SELECT 1"))),
        Bad.of("STARTUP again", 4, Bytes.frame(4, 0, 3, Bytes.STARTUP, Bytes.startup())),
        Bad.of("STARTUP without CQL_VERSION", 0, startup(Map.of())),
        Bad.of("a CQL version of 9", 0, startup(Map.of("CQL_VERSION", "9.9.9"))),
        Bad.of("a CQL version of words", 0, startup(Map.of("CQL_VERSION", "new"))),
        Bad.of(
            "an unknown consistency",
            4,
            query(new Bytes().longString("SELECT key FROM system.local").int16(0x99).int8(0))),
        Bad.of(
            "an unknown prepared id",
            4,
            Bytes.frame(
                4,
                0,
                3,
                Bytes.EXECUTE,
                new Bytes().int16(4).hex("cafebabe").int16(1).int8(0).done())),
        Bad.of(
            "an unknown kind of batch",
            4,
            Bytes.frame(
                4, 0, 3, Bytes.BATCH, new Bytes().int8(9).int16(0).int16(1).int8(0).done())),
        Bad.of(
            "an unknown event",
            4,
            Bytes.frame(4, 0, 3, Bytes.REGISTER, new Bytes().int16(1).string("WEATHER").done())),
        Bad.of(
            "a keyspace in version 4",
            4,
            query(
                new Bytes()
                    .longString("SELECT key FROM local")
                    .int16(1)
                    .int8(0x80)
                    .string("system"))),
        Bad.of("an empty text", 4, Bytes.frame(4, 0, 3, Bytes.QUERY, Bytes.query(4, ""))));
  }

  /** Returns input that leads to an error or the end of the connection, whichever comes. */
  static Stream<Bad> refused() {
    byte[] query = Bytes.query(4, "SELECT key FROM system.local");
    byte[] query3 = Bytes.query(3, "SELECT key FROM system.local");
    byte[] query5 = Bytes.query(5, "SELECT key FROM system.local");
    return Stream.of(
        Bad.of("version 1", 0, new Bytes().hex("01000005").int32(0).done()),
        Bad.of("version 2", 0, new Bytes().hex("02000005").int32(0).done()),
        Bad.of("AUTH_RESPONSE", 4, Bytes.frame(4, 0, 3, Bytes.AUTH_RESPONSE, new byte[4])),
        Bad.of("a negative stream", 4, Bytes.frame(4, 0, -5, Bytes.QUERY, query)),
        Bad.of("compressed without agreement", 4, Bytes.frame(4, 1, 3, Bytes.QUERY, query)),
        Bad.of("a web browser", 0, "GET / HTTP/1.1\r\n\r\n".getBytes(StandardCharsets.US_ASCII)),
        Bad.of("an answer", 0, Bytes.frame(0x84, 0, 3, RawFrame.READY, new byte[0])),
        Bad.of("a negative length", 4, Bytes.frame(4, 0, 3, Bytes.QUERY, -1, new byte[20])),
        Bad.of("a gigabyte", 4, Bytes.frame(4, 0, 3, Bytes.QUERY, 1 << 30, query)),
        Bad.of(
            "letters that are none",
            4,
            query(new Bytes().int32(4).hex("c3280a80").int16(1).int8(0))),
        Bad.of("another version than before", 4, Bytes.frame(3, 0, 3, Bytes.QUERY, query3)),
        Bad.of("a bare frame", 5, Bytes.frame(5, 0, 3, Bytes.QUERY, query5)),
        Bad.of("a wrong header checksum", 5, damaged(4)),
        Bad.of("a wrong payload checksum", 5, damaged(12)),
        Bad.of("zeros", 5, new byte[64]));
  }

  @ParameterizedTest
  @MethodSource("answeredWithCode")
  void errors_have_the_code_of_cassandra(Bad bad) throws Exception {
    SameAnswer.of(
        Stage.plain(),
        (target, seen) ->
            seen.say(
                bad.name(),
                outcome(target, bad)
                    .replaceFirst("^version \\w+ ", "")
                    .replaceFirst("( code \\w+).*", "$1")));
  }

  @ParameterizedTest
  @MethodSource("answered")
  void errors_equal_those_of_cassandra(Bad bad) throws Exception {
    SameAnswer.of(Stage.plain(), (target, seen) -> seen.say(bad.name(), outcome(target, bad)));
  }

  @ParameterizedTest
  @MethodSource("refused")
  void unintelligible_bytes_are_refused(Bad bad) throws Exception {
    Stage.plain().needsProxy();
    String outcome = outcome(Stage.plain().sluice(), bad);
    assertThat(outcome).matches("closed|.* opcode 0 code [0-9a-f]+ .*");
  }

  @Test
  void a_connection_lives_on_after_a_request_that_was_wrong() throws Exception {
    SameAnswer.of(
        Stage.plain(),
        (target, seen) -> {
          try (RawConnection connection = RawConnection.ready(target.address(), 4)) {
            connection.send(Bytes.frame(4, 0, 1, Bytes.QUERY, Bytes.query(4, "SELEC")));
            seen.say("wrong", connection.outcome(10_000));
            byte[] query = Bytes.query(4, "SELECT key FROM system.local");
            connection.send(Bytes.frame(4, 0, 2, Bytes.QUERY, query));
            seen.say("right", connection.outcome(10_000));
          }
        });
  }

  /** A node drops the segments of a request above its limit, and reads on. */
  @Test
  void a_connection_lives_on_after_a_request_that_was_too_large_for_its_segments()
      throws Exception {
    byte[] large = Bytes.frame(5, 0, 1, Bytes.QUERY, new byte[17 * MIB]);
    byte[] query = Bytes.query(5, "SELECT key FROM system.local");
    SameAnswer.of(
        Stage.plain(),
        (target, seen) -> {
          try (RawConnection connection = RawConnection.ready(target.address(), 5)) {
            connection.sendRaw(RawConnection.segmentsOf(large));
            connection.send(Bytes.frame(5, 0, 2, Bytes.QUERY, query));
            String refused = connection.outcome(10_000);
            seen.say("too large", refused.replaceFirst("( code \\w+).*", "$1"));
            seen.say("right", connection.outcome(10_000));
          }
        });
  }

  /** A node closes the connection after the second request of a segment that it cannot decode. */
  @Test
  void requests_that_a_node_cannot_decode_do_not_end_those_next_to_them() throws Exception {
    byte[] damaged =
        new Bytes()
            .longString("SELECT key FROM system.local WHERE key = 'local'")
            .hex("0001 0000000c 00000064".replace(" ", ""))
            .hex("00000003ffffff")
            .done();
    byte[] query = Bytes.query(5, "SELECT key FROM system.local");
    SameAnswer.of(
        Stage.plain(),
        (target, seen) -> {
          try (RawConnection connection = RawConnection.ready(target.address(), 5)) {
            Bytes together = new Bytes();
            for (int stream = 1; stream <= 8; stream++) {
              byte[] body = stream == 8 ? query : damaged;
              byte[] frame = Bytes.frame(5, 0, stream, Bytes.QUERY, body);
              together.bytes(connection.segment(frame));
            }
            connection.sendRaw(together.done());
            List<String> outcomes = new ArrayList<>();
            for (int i = 1; i <= 8; i++) {
              outcomes.add(connection.outcome(10_000));
            }
            outcomes.stream().sorted().forEach(each -> seen.say("answer", each));
          }
        });
  }

  @Test
  void a_frame_may_come_byte_by_byte() throws Exception {
    for (int version = 3; version <= 5; version++) {
      Target target = Stage.plain().sluice();
      try (RawConnection connection = RawConnection.ready(target.address(), version)) {
        byte[] query = Bytes.query(version, "SELECT key FROM system.local");
        byte[] frame = Bytes.frame(version, 0, 9, Bytes.QUERY, query);
        byte[] sent = version >= 5 ? connection.segment(frame) : frame;
        for (byte b : sent) {
          connection.sendRaw(new byte[] {b});
        }
        assertThat(connection.outcome(10_000)).endsWith("stream 9 opcode 8");
      }
    }
  }

  @Test
  @CassandraCluster(needs = Capability.IN_PROCESS_PROXY)
  void promises_of_large_bodies_take_no_memory() throws Exception {
    Stage.plain().needsProxy();
    Target target = Stage.plain().sluice();
    long before = nettyMemory();
    List<RawConnection> open = new ArrayList<>();
    try {
      for (int i = 0; i < 60; i++) {
        RawConnection connection = RawConnection.ready(target.address(), 4);
        connection.sendRaw(Bytes.frame(4, 0, 1, Bytes.QUERY, 15 * MIB, new byte[100]));
        open.add(connection);
      }
      Waiting.aMoment(500);
      assertThat(nettyMemory() - before).isLessThan(64L * MIB);
    } finally {
      for (RawConnection connection : open) {
        connection.close();
      }
    }
  }

  @Test
  @CassandraCluster(needs = Capability.IN_PROCESS_PROXY)
  void unread_answers_take_bounded_memory() throws Exception {
    Stage.plain().needsProxy();
    Target target = Stage.plain().sluice();
    String keyspace = target.keyspace("flood");
    prepareLargeRow(keyspace);
    long before = nettyMemory();
    long most = 0;
    try (RawConnection flood = RawConnection.ready(target.address(), 4)) {
      byte[] query = Bytes.query(4, "SELECT v FROM " + keyspace + ".large WHERE k = 1");
      sender(flood, query);
      for (int i = 0; i < 50; i++) {
        Waiting.aMoment(100);
        most = Math.max(most, nettyMemory() - before);
        byte[] own = Bytes.query(4, "SELECT key FROM system.local");
        bystander.send(Bytes.frame(4, 0, 5, Bytes.QUERY, own));
        assertThat(bystander.outcome(5_000)).endsWith("stream 5 opcode 8");
      }
    }
    assertThat(most)
        .as("bytes held for 600 MB of unread answers")
        .isBetween((long) MIB, 256L * MIB);
  }

  private static void sender(RawConnection flood, byte[] query) {
    Thread sender =
        new Thread(
            () -> {
              try {
                for (int i = 0; i < 6_000; i++) {
                  flood.send(Bytes.frame(4, 0, i, Bytes.QUERY, query));
                }
              } catch (IOException e) {
                // The proxy has disconnected this client, or the test is over.
              }
            },
            "flood");
    sender.start();
  }

  private static void prepareLargeRow(String keyspace) {
    try (var session = JavaDriver.open(Stage.plain().sluice(), Wire.USUAL)) {
      Place place = new Place(session, Stage.plain().sluice(), keyspace);
      SchemaScripts.keyspace(place);
      place.change("CREATE TABLE $ks.large (k int PRIMARY KEY, v text)");
      place.run("INSERT INTO $ks.large (k, v) VALUES (1, ?)", "x".repeat(100_000));
    }
  }

  private static String outcome(Target target, Bad bad) throws IOException {
    try (RawConnection connection =
        bad.version() == 0
            ? new RawConnection(target.address())
            : RawConnection.ready(target.address(), bad.version())) {
      connection.sendRaw(bad.array());
      String outcome = connection.outcome(5_000);
      return outcome.replaceAll("\\(bound.*|host \\S+", "");
    }
  }

  private static byte[] query(Bytes body) {
    return Bytes.frame(4, 0, 3, Bytes.QUERY, body.done());
  }

  private static byte[] startup(Map<String, String> options) {
    return Bytes.frame(4, 0, 3, Bytes.STARTUP, new Bytes().stringMap(options).done());
  }

  /** Returns a good segment with one inverted bit. */
  private static byte[] damaged(int at) {
    byte[] query = Bytes.query(5, "SELECT key FROM system.local");
    byte[] segment = RawConnection.segmentOf(Bytes.frame(5, 0, 3, Bytes.QUERY, query));
    segment[at] ^= 0x10;
    return segment;
  }

  private static RawConnection bystander() {
    try {
      return RawConnection.ready(Stage.plain().sluice().address(), 4);
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  /** Returns the memory held by this JVM's Netty, in bytes. The proxy runs in this JVM. */
  private static long nettyMemory() {
    return Buffers.POOL.takenBytes() + Buffers.POOL.metric().usedHeapMemory();
  }
}
