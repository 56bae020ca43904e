package io.sluice.decide.classify;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.ProtocolVersion;
import com.datastax.oss.driver.api.core.type.codec.TypeCodec;
import com.datastax.oss.driver.api.core.type.codec.TypeCodecs;
import io.sluice.ring.TestPartitioner;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.UUID;
import org.apache.cassandra.cql3.CQL3Type;
import org.apache.cassandra.cql3.CQLStatement;
import org.apache.cassandra.cql3.ColumnIdentifier;
import org.apache.cassandra.cql3.ColumnSpecification;
import org.apache.cassandra.cql3.Constants;
import org.apache.cassandra.cql3.statements.SelectStatement;
import org.apache.cassandra.exceptions.InvalidRequestException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class RoutingKeyTest {
  private static final List<String> TYPES =
      TestTables.ALL.stream()
          .filter(t -> t.name().startsWith("by_"))
          .map(t -> t.partitionKey().get(0).type())
          .toList();
  private static final List<String> LITERALS =
      List.of(
          "0",
          "-0",
          "00",
          "1",
          "-1",
          "007",
          "127",
          "128",
          "-128",
          "-129",
          "32767",
          "32768",
          "2147483647",
          "2147483648",
          "-2147483648",
          "4294967295",
          "4294967296",
          "9223372036854775807",
          "9223372036854775808",
          "86399999999999",
          "86400000000000",
          "-170141183460469231731687303715884105728",
          "255",
          "256",
          "1.",
          "1.0",
          "1.50",
          "-0.0",
          "0.1",
          "1e5",
          "1E-7",
          "-1.25e300",
          "1e999",
          "NaN",
          "-NaN",
          "Infinity",
          "-Infinity",
          "true",
          "TRUE",
          "false",
          "0x",
          "0x0",
          "0xCAFE",
          "0xcafe00",
          "0XAB",
          "'a'",
          "'true'",
          "''",
          "' '",
          "'é'",
          "'中😀'",
          "'it''s'",
          "$$it's$$",
          "$$$$",
          "'127.0.0.1'",
          "'127.0.0.256'",
          "'127.1'",
          "'010.0.0.1'",
          "'::1'",
          "'2001:db8::ff00:42:8329'",
          "'::ffff:1.2.3.4'",
          "'::ffff:102:304'",
          "'1:2'",
          "'fe80::1%eth0'",
          "'5'",
          "'-5'",
          "'localhost.invalid'",
          "'1970-01-01'",
          "'2026-11-21'",
          "'2026-02-30'",
          "'0001-01-01'",
          "'-0001-01-01'",
          "'9999-12-31'",
          "'2026-1-2'",
          "'12:34:56'",
          "'12:34:56.1'",
          "'12:34:56.123456789'",
          "'24:00:00'",
          "'12:34'",
          "'2026-11-21T12:34:56Z'",
          "'2026-11-21T12:34:56.789Z'",
          "'2026-11-21 12:34:56.789+0100'",
          "'2026-11-21 12:34+01:00'",
          "'2026-11-21T12:34:56.7Z'",
          "'2026-11-21T12:34:56'",
          "'2026-11-21T25:00Z'",
          "'0001-01-01T00:00Z'",
          "'1500-01-01T00:00:00.000Z'",
          "'2026-11-21T12:34:56-0030'",
          "'now'",
          "f81d4fae-7dec-11d0-a765-00a0c91e6bf6",
          "F81D4FAE-7DEC-41D0-A765-00A0C91E6BF6",
          "00000000-0000-0000-0000-000000000000",
          "'f81d4fae-7dec-11d0-a765-00a0c91e6bf6'",
          "1h",
          "null");

  /**
   * What Cassandra takes and the classifier leaves open: keys that are empty, forms whose meaning
   * depends on the node, and oddities (a tinyint in hex has as many bytes as it has digits for).
   */
  private static final List<String> IN_DOUBT =
      List.of(
          "ascii ''",
          "ascii $$$$",
          "text ''",
          "text $$$$",
          "varchar ''",
          "varchar $$$$",
          "tinyint 0x",
          "tinyint 0xCAFE",
          "tinyint 0xcafe00",
          "tinyint 0XAB",
          "blob 0x",
          "inet ''",
          "inet $$$$",
          "inet '127.1'",
          "inet '010.0.0.1'",
          "inet '::ffff:1.2.3.4'",
          "inet 'fe80::1%eth0'",
          "inet '5'",
          "date '-0001-01-01'",
          "timestamp ''",
          "timestamp $$$$",
          "timestamp '1970-01-01'",
          "timestamp '2026-11-21'",
          "timestamp '2026-02-30'",
          "timestamp '0001-01-01'",
          "timestamp '-0001-01-01'",
          "timestamp '9999-12-31'",
          "timestamp '2026-11-21T12:34:56.7Z'",
          "timestamp '2026-11-21T12:34:56'",
          "timestamp 'now'");

  private final Classifier classifier = new Classifier();

  private Classified classify(String cql) {
    return classifier.classify(cql, "ks", TestTables.CATALOG, TestPartitioner.BYTE_SUMS);
  }

  private static @Nullable String hex(@Nullable ByteBuffer bytes) {
    if (bytes == null) {
      return null;
    }
    byte[] copy = new byte[bytes.remaining()];
    bytes.duplicate().get(copy);
    return HexFormat.of().formatHex(copy);
  }

  private @Nullable String key(String cql, ByteBuffer... values) {
    return hex(classify(cql).routingKey(new Positional(List.of(values))));
  }

  /** What Cassandra makes of the literal in {@code k = …}, or null when it refuses. */
  private static @Nullable String oracle(String type, String literal) {
    CQLStatement.Raw raw = CassandraOracle.parse("SELECT v FROM t WHERE k = " + literal);
    if (raw == null) {
      return null;
    }
    var relation = ((SelectStatement.RawStatement) raw).whereClause.relations.get(0);
    var column =
        new ColumnSpecification(
            "ks",
            "t",
            new ColumnIdentifier("k", true),
            CQL3Type.Native.valueOf(type.toUpperCase(Locale.ROOT)).getType());
    try {
      return relation.getValue() instanceof Constants.Literal constant
          ? hex(constant.prepare("ks", column).bytes)
          : null;
    } catch (InvalidRequestException refused) {
      return null;
    }
  }

  @Test
  void a_literal_has_the_bytes_cassandra_gives_it_or_none() {
    List<String> wrong = new ArrayList<>();
    List<String> missing = new ArrayList<>();
    for (String type : TYPES) {
      for (String literal : LITERALS) {
        String ours = key("SELECT * FROM by_" + type + " WHERE k = " + literal);
        String theirs = oracle(type, literal);
        if (ours != null && !ours.equals(theirs)) {
          wrong.add(type + " " + literal + " is " + theirs + ", not " + ours);
        } else if (ours == null && theirs != null) {
          missing.add(type + " " + literal);
        }
      }
    }
    assertThat(wrong).isEmpty();
    assertThat(missing).containsExactlyInAnyOrderElementsOf(IN_DOUBT);
  }

  @Test
  void random_numbers_have_the_bytes_cassandra_gives_them() {
    long seed = 5;
    Random random = new Random(seed);
    for (int i = 0; i < 5_000; i++) {
      String type = TYPES.get(random.nextInt(TYPES.size()));
      String literal = number(random);
      String ours = key("SELECT * FROM by_" + type + " WHERE k = " + literal);
      assertThat(ours).as("seed %d: %s %s", seed, type, literal).isEqualTo(oracle(type, literal));
    }
  }

  private static String number(Random random) {
    long whole = random.nextLong() >> random.nextInt(64);
    return switch (random.nextInt(4)) {
      case 0 -> whole + "." + random.nextInt(100_000);
      case 1 -> whole + "e" + (random.nextInt(80) - 40);
      case 2 -> whole + "" + random.nextInt(1_000_000);
      default -> Long.toString(whole);
    };
  }

  @Test
  void a_literal_and_the_same_value_bound_by_the_driver_name_the_same_partition()
      throws UnknownHostException {
    Random random = new Random(11);
    for (int i = 0; i < 500; i++) {
      long number = random.nextLong();
      UUID uuid = new UUID(number, random.nextLong());
      LocalDate date = LocalDate.ofEpochDay(random.nextInt(20_000));
      LocalTime time = LocalTime.ofNanoOfDay(Math.floorMod(number, 86_400_000_000_000L));
      Instant instant = Instant.ofEpochMilli(Math.floorMod(number, 4_000_000_000_000L));
      byte[] address = new byte[random.nextBoolean() ? 4 : 16];
      random.nextBytes(address);
      InetAddress inet = InetAddress.getByAddress(address);
      same("bigint", Long.toString(number), TypeCodecs.BIGINT, number);
      same("double", Double.toString(number * 1e-7), TypeCodecs.DOUBLE, number * 1e-7);
      same("uuid", uuid.toString(), TypeCodecs.UUID, uuid);
      same("date", "'" + date + "'", TypeCodecs.DATE, date);
      same("time", TypeCodecs.TIME.format(time), TypeCodecs.TIME, time);
      same("timestamp", TypeCodecs.TIMESTAMP.format(instant), TypeCodecs.TIMESTAMP, instant);
      same("inet", TypeCodecs.INET.format(inet), TypeCodecs.INET, inet);
      same(
          "text",
          "'" + Long.toString(number, 36) + "''é'",
          TypeCodecs.TEXT,
          Long.toString(number, 36) + "'é");
    }
  }

  private <T> void same(String type, String literal, TypeCodec<T> codec, T value) {
    ByteBuffer bound = codec.encode(value, ProtocolVersion.V4);
    assertThat(bound).isNotNull();
    assertThat(key("SELECT * FROM by_" + type + " WHERE k = " + literal))
        .as("%s %s", type, literal)
        .isNotNull()
        .isEqualTo(key("SELECT * FROM by_" + type + " WHERE k = ?", bound));
  }

  @Test
  void several_columns_are_joined_by_length_bytes_and_a_zero() {
    assertThat(key("SELECT * FROM pair WHERE b = 'xy' AND a = 5"))
        .isEqualTo("0004" + "00000005" + "00" + "0002" + "7879" + "00");
    assertThat(key("SELECT * FROM pair WHERE b = '' AND a = 5"))
        .isEqualTo("0004" + "00000005" + "00" + "0000" + "00");
  }

  @Test
  void values_are_taken_by_the_position_of_their_marker_in_the_whole_text() {
    ByteBuffer no = ByteBuffer.wrap(new byte[] {9});
    ByteBuffer one = ByteBuffer.wrap(new byte[] {1});
    ByteBuffer two = ByteBuffer.wrap(new byte[] {2, 2});
    assertThat(key("SELECT v[?] FROM pair WHERE c > ? AND b = ? AND a = ?", no, no, two, one))
        .isEqualTo("000101000002020200");
    assertThat(key("INSERT INTO pair (v, b, a) VALUES ((?, ?), ?, ?)", no, no, two, one))
        .isEqualTo("000101000002020200");
    assertThat(
            key(
                "UPDATE pair USING TTL ? SET v = ? WHERE a = ? AND b = ? IF w = ?",
                no,
                no,
                one,
                two,
                no))
        .isEqualTo("000101000002020200");
    assertThat(key("DELETE v[?] FROM pair WHERE a = ? AND b = ?", no, one, two))
        .isEqualTo("000101000002020200");
  }

  @Test
  void named_values_are_found_by_their_folded_or_quoted_name() {
    BoundValues named =
        new BoundValues() {
          @Override
          public @Nullable ByteBuffer get(int index) {
            return null;
          }

          @Override
          public @Nullable ByteBuffer get(String name) {
            return switch (name) {
              case "lower" -> ByteBuffer.wrap(new byte[] {1});
              case "Exact" -> ByteBuffer.wrap(new byte[] {2});
              default -> null;
            };
          }
        };
    Classified pair = classify("SELECT * FROM pair WHERE a = :LOWER AND b = :\"Exact\"");
    assertThat(hex(pair.routingKey(named))).isEqualTo("000101000001" + "0200");
    assertThat(classify("SELECT * FROM t WHERE k = :exact").routingKey(named)).isNull();
    assertThat(hex(classify("SELECT * FROM t WHERE k = :a").routingKey(ints(7))))
        .isEqualTo("00000007");
  }

  @Test
  void a_missing_value_leaves_the_partition_unknown() {
    assertThat(key("SELECT * FROM t WHERE k = ?")).isNull();
    assertThat(key("SELECT * FROM pair WHERE a = 1 AND b = ?")).isNull();
    assertThat(key("SELECT * FROM t WHERE k = null")).isNull();
  }

  @Test
  void an_empty_or_overlong_key_is_no_key() {
    assertThat(key("SELECT * FROM t WHERE k = ?", ByteBuffer.allocate(0))).isNull();
    assertThat(key("SELECT * FROM t WHERE k = ?", ByteBuffer.allocate(65_536))).isNull();
    assertThat(key("SELECT * FROM t WHERE k = ?", ByteBuffer.allocate(65_535))).isNotNull();
    ByteBuffer half = ByteBuffer.allocate(40_000);
    assertThat(key("SELECT * FROM pair WHERE a = ? AND b = ?", half, half)).isNull();
  }

  @Test
  void what_is_computed_or_given_twice_is_no_key() {
    for (String doubtful :
        List.of(
            "k = uuid()",
            "k = 1 + 1",
            "k = - 1",
            "k = (bigint) 1",
            "k = 1 AND k = 1",
            "k = 1 AND k IN (1)",
            "k IN (1, 2)",
            "k IN ()",
            "k IN ?",
            "(k) = (1)",
            "k = [1]",
            "k = (1)",
            "k['x'] = 1",
            "k > 1",
            "k = 1.0",
            "k = 2147483648")) {
      assertThat(key("SELECT * FROM t WHERE " + doubtful, ByteBuffer.allocate(4)))
          .as(doubtful)
          .isNull();
    }
    assertThat(key("INSERT INTO t (k, k) VALUES (1, 1)")).isNull();
    assertThat(key("INSERT INTO t JSON '{\"k\": 1}'")).isNull();
    assertThat(key("SELECT * FROM by_varint WHERE k = (int) 5")).isNull();
  }

  @Test
  void a_hint_of_the_same_type_and_an_in_list_of_one_name_a_partition() {
    assertThat(key("SELECT * FROM t WHERE k = (int) 5")).isEqualTo("00000005");
    assertThat(key("SELECT * FROM t WHERE k IN (5)")).isEqualTo("00000005");
  }

  @Test
  void a_batch_goes_where_its_first_statement_goes() {
    assertThat(key("BEGIN BATCH DELETE FROM t WHERE k = 1; DELETE FROM t WHERE k = 2; APPLY BATCH"))
        .isEqualTo("00000001");
  }

  private static BoundValues ints(int... numbers) {
    List<ByteBuffer> values = new ArrayList<>();
    for (int number : numbers) {
      values.add(ByteBuffer.allocate(4).putInt(0, number));
    }
    return new Positional(values);
  }

  /** Values by position. */
  record Positional(List<ByteBuffer> values) implements BoundValues {
    @Override
    public @Nullable ByteBuffer get(int index) {
      return index < values.size() ? values.get(index) : null;
    }

    @Override
    public @Nullable ByteBuffer get(String name) {
      return null;
    }
  }
}
