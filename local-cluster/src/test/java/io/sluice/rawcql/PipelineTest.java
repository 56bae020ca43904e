package io.sluice.rawcql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.datastax.oss.protocol.internal.Compressor;
import com.datastax.oss.protocol.internal.Segment;
import com.datastax.oss.protocol.internal.SegmentCodec;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class PipelineTest {
  private static final String REQUEST = "05000001 0a 00000001 %02x";
  private static final String RESULT = "8500%04x 08 00000000";

  private final ByteArrayOutputStream sent = new ByteArrayOutputStream();
  private final List<Long> took = new ArrayList<>();
  private final List<byte[]> decoded = new ArrayList<>();

  @Test
  void as_many_requests_are_sent_as_may_be_in_flight_each_on_its_own_stream() throws IOException {
    run(Batching.plain(), bytes(result(1) + result(0)));

    assertThat(sent.toByteArray())
        .isEqualTo(bytes("05000000 0a 00000001 aa" + "05000001 0a 00000001 bb"));
    assertThat(took).hasSize(2);
  }

  @Test
  void a_response_that_is_not_a_result_is_an_error() {
    assertThatThrownBy(() -> run(Batching.plain(), bytes("85000000 00 00000000")))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("opcode 0");
  }

  @Test
  void a_response_that_is_not_a_result_is_decoded_as_a_whole() {
    String error = "85000001 00 00000009" + "00001001 0003 627573";

    assertThatThrownBy(() -> run(Batching.plain(), bytes(result(0) + error + result(1))))
        .isInstanceOf(IOException.class);
    assertThatThrownBy(
            () -> run(new SegmentBatching(), segment(bytes(result(0) + error + result(1)))))
        .isInstanceOf(IOException.class);

    assertThat(decoded).containsExactly(bytes(error), bytes(error));
  }

  @Test
  void an_end_of_the_connection_is_an_error() {
    assertThatThrownBy(() -> run(Batching.plain(), bytes(result(0))))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("closed");
  }

  @Test
  void frames_share_segments_in_both_directions() throws IOException {
    run(new SegmentBatching(), segment(bytes(result(0) + result(1))));

    assertThat(sent.toByteArray())
        .isEqualTo(segment(bytes("05000000 0a 00000001 aa" + "05000001 0a 00000001 bb")));
    assertThat(took).hasSize(2);
  }

  @Test
  void frames_that_do_not_fit_into_one_segment_are_sent_in_two() throws IOException {
    byte[] large = bytes("05000000 0a 00011170" + "00".repeat(70_000));
    ByteBuf both = Unpooled.wrappedBuffer(large, large.clone());

    new SegmentBatching().write(both.copy(), sent);

    byte[] one = segment(large);
    assertThat(sent.toByteArray())
        .isEqualTo(ByteBufUtil.getBytes(Unpooled.wrappedBuffer(one, one)));
  }

  @Test
  void the_pipeline_waits_for_the_rest_of_a_segment() throws IOException {
    byte[] whole = segment(bytes(result(7)));
    List<Integer> frames = new ArrayList<>();
    SegmentBatching segments = new SegmentBatching();
    ByteBuf arrived = Unpooled.buffer();

    for (byte each : whole) {
      assertThat(frames).isEmpty();
      arrived.writeByte(each);
      segments.decode(arrived, (bytes, at) -> frames.add((int) bytes.getShort(at + 2)));
    }

    assertThat(frames).containsExactly(7);
  }

  /** Runs for no time at all: sends one request for each stream. */
  private void run(Batching batching, byte[] answers) throws IOException {
    List<ByteBuf> requests =
        List.of(
            Unpooled.wrappedBuffer(bytes(REQUEST.formatted(0xaa))),
            Unpooled.wrappedBuffer(bytes(REQUEST.formatted(0xbb))));
    Pipeline pipeline =
        new Pipeline(
            () -> {},
            new ByteArrayInputStream(answers),
            batching,
            new RequestCycle(requests, batching, sent),
            frame -> decoded.add(ByteBufUtil.getBytes(frame)),
            2);
    pipeline.run(0, took::add);
  }

  private static String result(int stream) {
    return RESULT.formatted(stream);
  }

  private static byte[] segment(byte[] payload) {
    List<Object> parts = new ArrayList<>();
    new SegmentCodec<>(new HeapCodec(), Compressor.none())
        .encode(new Segment<>(Unpooled.wrappedBuffer(payload), true), parts);
    ByteBuf bytes = Unpooled.buffer();
    parts.forEach(part -> bytes.writeBytes((ByteBuf) part));
    return ByteBufUtil.getBytes(bytes);
  }

  private static byte[] bytes(String hex) {
    return ByteBufUtil.decodeHexDump(hex.replace(" ", ""));
  }
}
