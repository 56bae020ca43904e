package io.sluice.wire;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.protocol.internal.Message;
import com.datastax.oss.protocol.internal.request.Execute;
import com.datastax.oss.protocol.internal.request.Query;
import com.datastax.oss.protocol.internal.request.query.QueryOptions;
import io.sluice.wire.ReadTemplate.Bound;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that a request with a hint is otherwise unchanged, as the vendor's codec reads it. */
class RangeHintTest {

  private static final RangeHint HINT = new RangeHint(3, 258);
  private static final ByteBuffer WIDTH_3_ROWS_258 = bytes(1, 0, 3, 0, 0, 1, 2);

  private static ByteBuffer bytes(int... values) {
    ByteBuffer bytes = ByteBuffer.allocate(values.length);
    for (int value : values) {
      bytes.put((byte) value);
    }
    return bytes.flip();
  }

  private static ByteBuffer text(String text) {
    return ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
  }

  private static List<Message> messages(int version) {
    return List.of(
        new Query("SELECT ü", QueryOptions.DEFAULT),
        new Execute(new byte[] {1, 2}, version >= 5 ? new byte[] {3} : null, QueryOptions.DEFAULT));
  }

  private static byte[] request(int version, Map<String, ByteBuffer> payload, Message message) {
    return WireEnd.request(version, 9, true, payload, message);
  }

  private static Map<String, ByteBuffer> payload(Frame frame) {
    return WireEnd.readRequest(frame).customPayload;
  }

  @ParameterizedTest
  @ValueSource(ints = {4, 5})
  void only_the_hint_is_added(int version) {
    for (Message message : messages(version)) {
      Frame hinted = HINT.addTo(WireEnd.frame(request(version, Map.of(), message)));

      assertThat(payload(hinted)).isEqualTo(Map.of("sluice", WIDTH_3_ROWS_258));
      assertThat(WireEnd.hex(hinted))
          .isEqualTo(
              WireEnd.hex(
                  WireEnd.frame(request(version, Map.of("sluice", WIDTH_3_ROWS_258), message))));
      hinted.release();
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {4, 5})
  void the_clients_own_payload_is_kept(int version) {
    Map<String, ByteBuffer> clients = new LinkedHashMap<>();
    clients.put("", text("no name"));
    clients.put("sluice2", text("x"));
    clients.put("größe", ByteBuffer.allocate(0));
    for (Message message : messages(version)) {
      Frame hinted = HINT.addTo(WireEnd.frame(request(version, clients, message)));

      Map<String, ByteBuffer> all = new LinkedHashMap<>(clients);
      all.put("sluice", WIDTH_3_ROWS_258);
      assertThat(payload(hinted)).isEqualTo(all);
      var read = WireEnd.readRequest(hinted);
      assertThat(read.tracing).isTrue();
      assertThat(read.streamId).isEqualTo(9);
      assertThat(read.message).hasToString(message.toString());
      hinted.release();
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {4, 5})
  void a_clients_own_hint_is_not_changed(int version) {
    Map<String, ByteBuffer> clients = Map.of("a", text("b"), "sluice", text("mine"));
    Frame request = WireEnd.frame(request(version, clients, messages(version).get(0)));
    String before = WireEnd.hex(request);

    assertThat(HINT.addTo(request)).isSameAs(request);
    assertThat(WireEnd.hex(request)).isEqualTo(before);
    request.release();
  }

  @Test
  void before_v4_no_hint_is_added() {
    Frame request = WireEnd.frame(request(3, Map.of(), messages(3).get(0)));
    String before = WireEnd.hex(request);

    assertThat(HINT.addTo(request)).isSameAs(request);
    assertThat(WireEnd.hex(request)).isEqualTo(before);
    request.release();
  }

  @Test
  void the_original_request_is_released() {
    Frame request = WireEnd.frame(request(4, Map.of(), messages(4).get(0)));
    HINT.addTo(request).release();
    assertThat(TestFrames.isReleased(request)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(ints = {4, 5})
  void a_request_for_a_piece_can_have_a_hint_too(int version) {
    Frame client =
        WireEnd.frame(request(version, Map.of("p", text("load")), messages(version).get(0)));
    ReadTemplate template = ReadTemplate.of(client);
    List<Bound> bound = List.of(new Bound(-1, null, text("token")));
    Frame asText = HINT.addTo(template.query("SELECT b", bound, 10, null));
    Frame byId = HINT.addTo(template.execute(TestFrames.id("id"), bound, 10, null));

    for (Frame piece : List.of(asText, byId)) {
      assertThat(payload(piece)).isEqualTo(Map.of("p", text("load"), "sluice", WIDTH_3_ROWS_258));
      piece.release();
    }
    client.release();
  }

  @Test
  void the_hints_numbers_are_clamped_to_the_format() {
    assertThat(new RangeHint(-1, -1)).isEqualTo(new RangeHint(RangeHint.WIDTH_UNKNOWN, 0));
    Frame hinted =
        new RangeHint(Integer.MAX_VALUE, Long.MAX_VALUE)
            .addTo(WireEnd.frame(request(4, Map.of(), messages(4).get(0))));
    assertThat(payload(hinted)).containsEntry("sluice", bytes(1, -1, -1, -1, -1, -1, -1));
    hinted.release();
  }
}
