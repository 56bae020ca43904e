package io.sluice.watch;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.ring.Token;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.util.Locale;
import java.util.Random;
import org.apache.cassandra.dht.ByteOrderedPartitioner;
import org.apache.cassandra.dht.IPartitioner;
import org.apache.cassandra.dht.Murmur3Partitioner;
import org.apache.cassandra.dht.RandomPartitioner;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Compares the partitioners with Cassandra's own. */
class DriverPartitionerTest {

  private static IPartitioner oracle(DriverPartitioner of) {
    return switch (of) {
      case MURMUR3 -> Murmur3Partitioner.instance;
      case RANDOM -> RandomPartitioner.instance;
      case BYTE_ORDERED -> ByteOrderedPartitioner.instance;
    };
  }

  private static String cql(DriverPartitioner of, org.apache.cassandra.dht.Token token) {
    String text = token.getPartitioner().getTokenFactory().toString(token);
    return of == DriverPartitioner.BYTE_ORDERED ? "0x" + text.toLowerCase(Locale.ROOT) : text;
  }

  @ParameterizedTest
  @EnumSource
  void keys_of_all_lengths_have_cassandras_tokens(DriverPartitioner ours) {
    IPartitioner theirs = oracle(ours);
    Random random = new Random(20_261_121);
    for (int i = 0; i < 20_000; i++) {
      byte[] key = new byte[1 + random.nextInt(70)];
      random.nextBytes(key);
      ByteBuffer buffer = ByteBuffer.wrap(key);
      assertThat(ours.hash(buffer).toCql()).isEqualTo(cql(ours, theirs.getToken(buffer)));
      assertThat(buffer.remaining()).as("left to read").isEqualTo(key.length);
    }
  }

  @ParameterizedTest
  @EnumSource
  void tokens_are_ordered_as_cassandra_orders_them(DriverPartitioner ours) {
    IPartitioner theirs = oracle(ours);
    Random random = new Random(7);
    for (int i = 0; i < 5_000; i++) {
      byte[] one = new byte[1 + random.nextInt(3)];
      byte[] two = new byte[1 + random.nextInt(3)];
      random.nextBytes(one);
      random.nextBytes(two);
      int expected =
          theirs.getToken(ByteBuffer.wrap(one)).compareTo(theirs.getToken(ByteBuffer.wrap(two)));
      int found = ours.hash(ByteBuffer.wrap(one)).compareTo(ours.hash(ByteBuffer.wrap(two)));
      assertThat(Integer.signum(found)).isEqualTo(Integer.signum(expected));
    }
  }

  @ParameterizedTest
  @EnumSource
  void the_minimum_and_the_name_are_cassandras(DriverPartitioner ours) {
    assertThat(ours.minimum().toCql()).isEqualTo(cql(ours, oracle(ours).getMinimumToken()));
    assertThat(ours.className()).isEqualTo(oracle(ours).getClass().getName());
    assertThat(DriverPartitioner.named(ours.className())).isSameAs(ours);
    assertThat(DriverPartitioner.named("org.apache.cassandra.dht.LocalPartitioner")).isNull();
  }

  @ParameterizedTest
  @EnumSource
  void a_token_comes_back_from_its_literal_and_from_its_bound_value(DriverPartitioner ours) {
    IPartitioner theirs = oracle(ours);
    Random random = new Random(3);
    for (int i = 0; i < 1_000; i++) {
      byte[] key = new byte[1 + random.nextInt(9)];
      random.nextBytes(key);
      org.apache.cassandra.dht.Token token = theirs.getToken(ByteBuffer.wrap(key));
      Token expected = ours.hash(ByteBuffer.wrap(key));
      assertThat(ours.fromLiteral(expected.toCql())).isEqualTo(expected);
      ByteBuffer bound = theirs.getTokenFactory().toByteArray(token);
      assertThat(ours.fromValue(bound)).isEqualTo(expected);
    }
  }

  @Test
  void an_invalid_token_is_null() {
    assertThat(DriverPartitioner.MURMUR3.fromLiteral("x")).isNull();
    assertThat(DriverPartitioner.MURMUR3.fromLiteral("9223372036854775808")).isNull();
    assertThat(DriverPartitioner.MURMUR3.fromValue(ByteBuffer.allocate(4))).isNull();
    assertThat(DriverPartitioner.RANDOM.fromValue(ByteBuffer.allocate(0))).isNull();
    assertThat(DriverPartitioner.RANDOM.fromLiteral("0x1")).isNull();
    assertThat(DriverPartitioner.BYTE_ORDERED.fromLiteral("0x1")).isNull();
    assertThat(DriverPartitioner.RANDOM.fromValue(ByteBuffer.wrap(new byte[] {-1})))
        .isEqualTo(new Token.Random(BigInteger.ONE.negate()));
  }
}
