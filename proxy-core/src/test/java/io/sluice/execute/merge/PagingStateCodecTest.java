package io.sluice.execute.merge;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.decide.plan.ResumePoint;
import io.sluice.ring.Token;
import io.sluice.ring.TokenRange;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Tests paging states that clients send back: valid, foreign, damaged, or of another statement. */
class PagingStateCodecTest {

  private static final StatementDigest DIGEST = new StatementDigest(1, 2);
  private static final int ROUNDS = 300;

  /** The minimum tokens of the partitioners, in the order of {@link #token}. */
  private static final List<Token> MINIMA =
      List.of(
          new Token.Murmur3(Long.MIN_VALUE),
          new Token.Random(BigInteger.ONE.negate()),
          new Token.Ordered(""));

  private final Random random = new Random(11);

  private @Nullable Token token(int kind) {
    byte[] bytes = new byte[1 + random.nextInt(20)];
    random.nextBytes(bytes);
    return switch (kind) {
      case 0 -> new Token.Murmur3(random.nextLong());
      case 1 -> new Token.Random(new BigInteger(127, random));
      case 2 -> new Token.Ordered(java.util.HexFormat.of().formatHex(bytes));
      default -> null;
    };
  }

  private ResumePoint point() {
    return point(random.nextInt(4));
  }

  private ResumePoint point(int kind) {
    byte[] nodeState = new byte[random.nextInt(50)];
    random.nextBytes(nodeState);
    boolean inside = random.nextBoolean();
    return new ResumePoint(
        token(kind),
        inside ? new TokenRange(token(kind), random.nextBoolean() ? token(kind) : null) : null,
        inside ? ByteBuffer.wrap(nodeState) : null,
        random.nextBoolean() ? -1 : 1 + random.nextInt(Integer.MAX_VALUE),
        random.nextInt(3) - 1);
  }

  @Test
  void an_encoded_paging_state_is_decoded() {
    for (int i = 0; i < ROUNDS; i++) {
      int kind = i % MINIMA.size();
      ResumePoint point = point(kind);
      ByteBuffer state = PagingStateCodec.encode(point, DIGEST);
      assertThat(PagingStateCodec.decode(state, DIGEST, MINIMA.get(kind)))
          .isEqualTo(new ClientPagingState.Sound(point));
    }
  }

  @Test
  void a_forged_token_of_another_partitioner_is_damaged() {
    for (int kind = 0; kind < MINIMA.size(); kind++) {
      for (Token other : MINIMA) {
        Token token = Objects.requireNonNull(token(kind));
        for (ResumePoint forged :
            List.of(
                new ResumePoint(token, null, null, -1, -1),
                new ResumePoint(
                    null, new TokenRange(null, token), ByteBuffer.allocate(0), -1, -1))) {
          ByteBuffer state = PagingStateCodec.encode(forged, DIGEST);
          assertThat(PagingStateCodec.decode(state, DIGEST, other))
              .isInstanceOf(
                  token.getClass() == other.getClass()
                      ? ClientPagingState.Sound.class
                      : ClientPagingState.Damaged.class);
        }
      }
    }
  }

  @Test
  void a_paging_state_that_the_proxy_never_returns_is_damaged() {
    Token minimum = MINIMA.get(0);
    TokenRange piece = new TokenRange(new Token.Murmur3(5), new Token.Murmur3(9));
    for (ResumePoint forged :
        List.of(
            new ResumePoint(minimum, null, null, -1, -1),
            new ResumePoint(null, piece, null, -1, -1),
            new ResumePoint(null, null, ByteBuffer.allocate(3), -1, -1),
            new ResumePoint(null, null, null, 0, -1),
            new ResumePoint(null, null, null, -7, -1),
            new ResumePoint(null, null, null, -1, -2))) {
      assertThat(PagingStateCodec.decode(PagingStateCodec.encode(forged, DIGEST), DIGEST, minimum))
          .as("%s", forged)
          .isInstanceOf(ClientPagingState.Damaged.class);
    }
    for (String hex : List.of("", "a", "zz", "FF")) {
      ResumePoint forged = new ResumePoint(new Token.Ordered(hex), null, null, -1, -1);
      ByteBuffer state = PagingStateCodec.encode(forged, DIGEST);
      assertThat(PagingStateCodec.decode(state, DIGEST, MINIMA.get(2)))
          .isInstanceOf(ClientPagingState.Damaged.class);
    }
  }

  @Test
  void a_paging_state_with_a_changed_byte_is_damaged_and_not_foreign() {
    for (int i = 0; i < 20; i++) {
      byte[] sound = PagingStateCodec.encode(point(), DIGEST).array();
      for (int at = 0; at < sound.length; at++) {
        for (int flip = 1; flip < 256; flip++) {
          byte[] bent = sound.clone();
          bent[at] ^= (byte) flip;
          assertThat(PagingStateCodec.decode(ByteBuffer.wrap(bent), DIGEST, MINIMA.get(0)))
              .isInstanceOf(ClientPagingState.Damaged.class);
        }
      }
    }
  }

  @Test
  void a_paging_state_of_another_length_is_damaged() {
    byte[] sound = PagingStateCodec.encode(point(), DIGEST).array();
    for (int length = 8; length < sound.length; length++) {
      assertThat(PagingStateCodec.decode(ByteBuffer.wrap(sound, 0, length), DIGEST, MINIMA.get(0)))
          .isInstanceOf(ClientPagingState.Damaged.class);
    }
    byte[] longer = java.util.Arrays.copyOf(sound, sound.length + 1);
    assertThat(PagingStateCodec.decode(ByteBuffer.wrap(longer), DIGEST, MINIMA.get(0)))
        .isInstanceOf(ClientPagingState.Damaged.class);
  }

  @Test
  void a_paging_state_of_another_statement_is_recognized() {
    ByteBuffer state = PagingStateCodec.encode(point(), DIGEST);
    for (StatementDigest other :
        new StatementDigest[] {new StatementDigest(1, 3), new StatementDigest(2, 2)}) {
      assertThat(PagingStateCodec.decode(state, other, MINIMA.get(0)))
          .isInstanceOf(ClientPagingState.OtherStatement.class);
    }
  }

  @Test
  void a_paging_state_of_cassandra_is_foreign() {
    for (byte[] key :
        new byte[][] {
          {0, 0, 0, 1}, "Sluice".getBytes(java.nio.charset.StandardCharsets.UTF_8), new byte[200]
        }) {
      ByteBuffer state =
          new NodePagingState(key, new byte[] {0, 1, 5}, NodePagingState.UNLIMITED, 3).bytes();
      assertThat(PagingStateCodec.decode(state, DIGEST, MINIMA.get(0)))
          .isInstanceOf(ClientPagingState.Foreign.class);
    }
    assertThat(PagingStateCodec.decode(ByteBuffer.allocate(0), DIGEST, MINIMA.get(0)))
        .isInstanceOf(ClientPagingState.Foreign.class);
  }

  @Test
  void random_content_with_a_right_checksum_is_decoded_or_damaged() {
    byte[] sound = PagingStateCodec.encode(point(), DIGEST).array();
    for (int i = 0; i < 20_000; i++) {
      byte[] bent = sound.clone();
      for (int at = 25; at < bent.length - 4; at++) {
        bent[at] = random.nextInt(3) == 0 ? (byte) random.nextInt() : bent[at];
      }
      java.util.zip.CRC32C crc = new java.util.zip.CRC32C();
      crc.update(bent, 0, bent.length - 4);
      ByteBuffer.wrap(bent).putInt(bent.length - 4, (int) crc.getValue());
      assertThat(PagingStateCodec.decode(ByteBuffer.wrap(bent), DIGEST, MINIMA.get(0)))
          .isInstanceOfAny(ClientPagingState.Damaged.class, ClientPagingState.Sound.class);
    }
  }
}
