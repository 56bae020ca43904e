package io.sluice.decide.classify;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.ProtocolVersion;
import com.datastax.oss.driver.api.core.type.codec.TypeCodec;
import com.datastax.oss.driver.api.core.type.codec.TypeCodecs;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.util.ArrayList;
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

/** Compares literals in partition keys with Cassandra and the driver. */
class KeyLiteralTest {
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
   * Literals that Cassandra accepts and the classifier leaves open: empty keys, forms whose meaning
   * depends on the node, and oddities. For example, a tinyint in hex has as many bytes as it has
   * digits for.
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

  private final RoutingKeys keys = new RoutingKeys();

  /** Returns Cassandra's bytes of the literal in {@code k = …}, or null if Cassandra refuses it. */
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
          ? RoutingKeys.hex(constant.prepare("ks", column).bytes)
          : null;
    } catch (InvalidRequestException refused) {
      return null;
    }
  }

  @Test
  void a_literal_has_the_bytes_of_cassandra_or_none() {
    List<String> wrong = new ArrayList<>();
    List<String> missing = new ArrayList<>();
    for (String type : TYPES) {
      for (String literal : LITERALS) {
        String ours = keys.key("SELECT * FROM by_" + type + " WHERE k = " + literal);
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
  void random_numbers_have_the_bytes_of_cassandra() {
    long seed = 5;
    Random random = new Random(seed);
    for (int i = 0; i < 5_000; i++) {
      String type = TYPES.get(random.nextInt(TYPES.size()));
      String literal = number(random);
      String ours = keys.key("SELECT * FROM by_" + type + " WHERE k = " + literal);
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
    assertThat(keys.key("SELECT * FROM by_" + type + " WHERE k = " + literal))
        .as("%s %s", type, literal)
        .isNotNull()
        .isEqualTo(keys.key("SELECT * FROM by_" + type + " WHERE k = ?", bound));
  }
}
