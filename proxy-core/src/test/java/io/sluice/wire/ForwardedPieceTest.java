package io.sluice.wire;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.protocol.internal.Message;
import com.datastax.oss.protocol.internal.request.Execute;
import com.datastax.oss.protocol.internal.request.Query;
import com.datastax.oss.protocol.internal.request.query.QueryOptions;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of a piece in a request that is forwarded to another proxy. */
class ForwardedPieceTest {

  private static final ForwardedPiece.Place PLACE =
      new ForwardedPiece.Place(17, 5_000_000, 12.5, 3, "röle", 2.0, true);

  private static ForwardedPiece piece(
      ByteBuffer after, ByteBuffer upTo, ByteBuffer state, ForwardedPiece.Place place) {
    return new ForwardedPiece(new UUID(1, 2), new UUID(3, 4), after, upTo, 100, state, 99.5, place);
  }

  private static ByteBuffer bytes(int length) {
    ByteBuffer bytes = ByteBuffer.allocate(length);
    for (int i = 0; i < length; i++) {
      bytes.put(i, (byte) i);
    }
    return bytes;
  }

  private static List<Message> messages(int version) {
    return List.of(
        new Query("SELECT ü", QueryOptions.DEFAULT),
        new Execute(new byte[] {1, 2}, version >= 5 ? new byte[] {3} : null, QueryOptions.DEFAULT));
  }

  private static Frame request(int version, Message message) {
    return WireEnd.frame(WireEnd.request(version, 9, false, Map.of(), message));
  }

  @ParameterizedTest
  @ValueSource(ints = {4, 5})
  void the_home_proxy_reads_the_piece_and_the_request_unchanged(int version) {
    List<ForwardedPiece> pieces =
        List.of(
            piece(bytes(8), bytes(8), bytes(40), PLACE),
            piece(bytes(0), bytes(16), bytes(0), PLACE));
    for (Message message : messages(version)) {
      for (ForwardedPiece piece : pieces) {
        Frame request = request(version, message);
        String before = TestFrames.hex(request.onStream(0));
        Frame sent = piece.with(request);

        assertThat(ForwardedPiece.of(sent)).isEqualTo(piece);
        assertThat(WireEnd.readRequest(sent).customPayload)
            .as("as other receivers read it")
            .containsOnlyKeys("sluice-piece");
        Frame left = ForwardedPiece.without(sent);
        assertThat(TestFrames.hex(left)).isEqualTo(before);
        left.release();
        request.release();
      }
    }
  }

  @Test
  void an_open_range_from_its_beginning_has_neither_bounds_nor_state() {
    ForwardedPiece open =
        new ForwardedPiece(
            new UUID(1, 2),
            new UUID(3, 4),
            null,
            null,
            1,
            null,
            0,
            new ForwardedPiece.Place(0, 1, 0, 1, "", 0, false));
    Frame request = request(4, messages(4).get(0));
    Frame sent = open.with(request);
    assertThat(ForwardedPiece.of(sent)).isEqualTo(open);
    sent.release();
    request.release();
  }

  @Test
  void a_request_without_a_piece_has_none() {
    Frame plain = request(4, messages(4).get(0));
    assertThat(ForwardedPiece.of(plain)).isNull();
    Frame other =
        WireEnd.frame(
            WireEnd.request(
                4, 9, false, Map.of("sluice", bytes(7)), new Query("x", QueryOptions.DEFAULT)));
    assertThat(ForwardedPiece.of(other)).isNull();
    plain.release();
    other.release();
  }

  /** Pieces of another version, too short, too long, and of random bytes. */
  @Test
  void an_unreadable_piece_is_none() {
    Frame request = request(4, messages(4).get(0));
    Frame sent = piece(bytes(8), bytes(8), bytes(40), PLACE).with(request);
    ByteBuffer sound = WireEnd.readRequest(sent).customPayload.get("sluice-piece");
    sent.release();
    request.release();
    Random random = new Random(5);
    for (int i = 0; i < 2_000; i++) {
      byte[] value = new byte[random.nextInt(sound.remaining() + 3)];
      sound.duplicate().get(value, 0, Math.min(value.length, sound.remaining()));
      if (i % 2 == 0 && value.length > 0) {
        value[0] = (byte) (i % 4 == 0 ? 2 : random.nextInt());
      }
      if (value.length == sound.remaining() && value[0] == 1) {
        continue;
      }
      Frame broken =
          WireEnd.frame(
              WireEnd.request(
                  4,
                  9,
                  false,
                  Map.of("sluice-piece", ByteBuffer.wrap(value)),
                  new Query("x", QueryOptions.DEFAULT)));
      assertThat(ForwardedPiece.of(broken)).isNull();
      broken.release();
    }
  }

  @Test
  void a_piece_with_invalid_numbers_is_none() {
    Frame request = request(4, messages(4).get(0));
    List<ForwardedPiece.Place> places =
        List.of(
            new ForwardedPiece.Place(-1, 1, 0, 1, "", 0, false),
            new ForwardedPiece.Place(0, 0, 0, 1, "", 0, false),
            new ForwardedPiece.Place(0, 1, Double.NaN, 1, "", 0, false),
            new ForwardedPiece.Place(0, 1, 0, 0, "", 0, false),
            new ForwardedPiece.Place(0, 1, 0, 1, "", -1, false));
    for (ForwardedPiece.Place place : places) {
      Frame sent = piece(bytes(8), bytes(8), bytes(1), place).with(request);
      assertThat(ForwardedPiece.of(sent)).as("%s", place).isNull();
      sent.release();
    }
    request.release();
  }
}
