package io.sluice.execute.merge;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.decide.plan.ResumePoint;
import io.sluice.ring.Token;
import io.sluice.ring.TokenRange;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Paging states that clients hand back: ours as we gave it, or told apart. */
class PagingStateCodecTest {

  private static final StatementDigest DIGEST = new StatementDigest(1, 2);
  private static final int ROUNDS = 300;

  private final Random random = new Random(11);

  private @Nullable Token token(int kind) {
    byte[] bytes = new byte[random.nextInt(20)];
    random.nextBytes(bytes);
    return switch (kind) {
      case 0 -> new Token.Murmur3(random.nextLong());
      case 1 -> new Token.Random(new BigInteger(127, random));
      case 2 -> new Token.Ordered(java.util.HexFormat.of().formatHex(bytes));
      default -> null;
    };
  }

  private ResumePoint point() {
    int kind = random.nextInt(4);
    byte[] inner = new byte[random.nextInt(50)];
    random.nextBytes(inner);
    boolean inside = random.nextBoolean();
    return new ResumePoint(
        token(kind),
        inside ? new TokenRange(token(kind), random.nextBoolean() ? token(kind) : null) : null,
        inside ? ByteBuffer.wrap(inner) : null,
        random.nextInt() >>> 1,
        random.nextInt(3) - 1);
  }

  @Test
  void what_was_encoded_is_decoded() {
    for (int i = 0; i < ROUNDS; i++) {
      ResumePoint point = point();
      assertThat(PagingStateCodec.decode(PagingStateCodec.encode(point, DIGEST), DIGEST))
          .isEqualTo(new ClientPagingState.Sound(point));
    }
  }

  @Test
  void every_changed_byte_is_noticed_and_the_state_still_known_as_ours() {
    for (int i = 0; i < 20; i++) {
      byte[] sound = PagingStateCodec.encode(point(), DIGEST).array();
      for (int at = 0; at < sound.length; at++) {
        for (int flip = 1; flip < 256; flip++) {
          byte[] bent = sound.clone();
          bent[at] ^= (byte) flip;
          assertThat(PagingStateCodec.decode(ByteBuffer.wrap(bent), DIGEST))
              .isInstanceOf(ClientPagingState.Damaged.class);
        }
      }
    }
  }

  @Test
  void a_state_that_was_cut_or_grew_is_damaged() {
    byte[] sound = PagingStateCodec.encode(point(), DIGEST).array();
    for (int length = 8; length < sound.length; length++) {
      assertThat(PagingStateCodec.decode(ByteBuffer.wrap(sound, 0, length), DIGEST))
          .isInstanceOf(ClientPagingState.Damaged.class);
    }
    byte[] longer = java.util.Arrays.copyOf(sound, sound.length + 1);
    assertThat(PagingStateCodec.decode(ByteBuffer.wrap(longer), DIGEST))
        .isInstanceOf(ClientPagingState.Damaged.class);
  }

  @Test
  void another_statement_s_state_is_told_apart() {
    ByteBuffer state = PagingStateCodec.encode(point(), DIGEST);
    for (StatementDigest other :
        new StatementDigest[] {new StatementDigest(1, 3), new StatementDigest(2, 2)}) {
      assertThat(PagingStateCodec.decode(state, other))
          .isInstanceOf(ClientPagingState.OtherStatement.class);
    }
  }

  @Test
  void a_state_of_cassandra_s_is_foreign() {
    for (byte[] key :
        new byte[][] {
          {0, 0, 0, 1}, "Sluice".getBytes(java.nio.charset.StandardCharsets.UTF_8), new byte[200]
        }) {
      ByteBuffer state =
          new NodePagingState(key, new byte[] {0, 1, 5}, NodePagingState.UNLIMITED, 3).bytes();
      assertThat(PagingStateCodec.decode(state, DIGEST))
          .isInstanceOf(ClientPagingState.Foreign.class);
    }
    assertThat(PagingStateCodec.decode(ByteBuffer.allocate(0), DIGEST))
        .isInstanceOf(ClientPagingState.Foreign.class);
  }

  @Test
  void nonsense_behind_a_right_checksum_is_damaged() {
    byte[] sound = PagingStateCodec.encode(point(), DIGEST).array();
    for (int i = 0; i < 20_000; i++) {
      byte[] bent = sound.clone();
      for (int at = 25; at < bent.length - 4; at++) {
        bent[at] = random.nextInt(3) == 0 ? (byte) random.nextInt() : bent[at];
      }
      java.util.zip.CRC32C crc = new java.util.zip.CRC32C();
      crc.update(bent, 0, bent.length - 4);
      ByteBuffer.wrap(bent).putInt(bent.length - 4, (int) crc.getValue());
      assertThat(PagingStateCodec.decode(ByteBuffer.wrap(bent), DIGEST))
          .isInstanceOfAny(ClientPagingState.Damaged.class, ClientPagingState.Sound.class);
    }
  }
}
