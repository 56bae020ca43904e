package io.sluice.wire;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.protocol.internal.Segment;
import com.datastax.oss.protocol.internal.request.Options;
import com.datastax.oss.protocol.internal.request.Query;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of written frames. */
class FrameWriterTest {

  private WireEnd end = WireEnd.server();

  @AfterEach
  void every_buffer_is_released() {
    assertThat(end.heldAfterClose()).isZero();
  }

  private static byte[] envelope(int version, int bodyLength) {
    byte[] body = new byte[bodyLength];
    for (int i = 0; i < bodyLength; i++) {
      body[i] = (byte) (i * i / 7);
    }
    return WireEnd.joined(
        WireEnd.bytes("%02x 00 0001 08 %08x".formatted(version | 0x80, bodyLength)), body);
  }

  private static byte[] ready(int version) {
    return WireEnd.bytes("%02x 00 0000 02 00000000".formatted(version | 0x80));
  }

  /** Returns the frames that a peer reads from all writes. */
  private static List<String> heardBy(WireEnd peer, List<byte[]> writes) {
    peer.arrive(WireEnd.joined(writes.toArray(byte[][]::new)));
    List<String> understood = peer.understood();
    assertThat(peer.heldAfterClose()).isZero();
    return understood;
  }

  private static WireEnd clientInSegments(Compression by) {
    return WireEnd.client().afterReady(by);
  }

  private static String hex(byte[] bytes) {
    return WireEnd.hex(WireEnd.frame(bytes));
  }

  @ParameterizedTest
  @ValueSource(ints = {40, 5_000, 300_000})
  void a_frame_in_several_buffers_is_the_same_in_segments(int bodyLength) {
    for (Compression by : List.of(Compression.NONE, Compression.LZ4)) {
      WireEnd segments = WireEnd.inSegments(by);
      byte[] frame = envelope(5, bodyLength);
      Frame split =
          new Frame(
              segments
                  .buffers
                  .compositeBuffer()
                  .addComponent(true, segments.buffers.directBuffer().writeBytes(frame, 0, 20))
                  .addComponent(
                      true,
                      segments.buffers.directBuffer().writeBytes(frame, 20, frame.length - 20)));
      assertThat(heardBy(clientInSegments(by), segments.write(split))).containsExactly(hex(frame));
      assertThat(segments.heldAfterClose()).isZero();
    }
  }

  @Test
  void a_plain_frame_leaves_as_it_is() {
    byte[] frame = envelope(4, 5);
    assertThat(end.write(end.owned(frame))).containsExactly(frame);
  }

  @ParameterizedTest
  @EnumSource(
      value = Compression.class,
      names = {"LZ4", "SNAPPY"})
  void answers_are_compressed_as_a_node_does_and_come_back_equal(Compression by) {
    end.framing.compression(by);
    for (int length : new int[] {1, 4, 512, 5000, 200_000}) {
      byte[] frame = envelope(4, length);
      List<byte[]> writes = end.write(end.owned(frame));
      assertThat(writes).hasSize(1);
      assertThat(writes.get(0)[1]).as("flags").isEqualTo((byte) Frame.FLAG_COMPRESSED);
      WireEnd peer = WireEnd.client();
      peer.framing.compression(by);
      assertThat(heardBy(peer, writes)).containsExactly(hex(frame));
    }
  }

  @Test
  void compression_changes_only_its_flag_and_the_length_of_a_header() {
    end.framing.compression(Compression.LZ4);
    byte[] frame = WireEnd.bytes("84 1a 8123 08 00000200" + "00".repeat(512));
    byte[] written = end.write(end.owned(frame)).get(0);
    assertThat(Arrays.copyOf(written, 5)).isEqualTo(WireEnd.bytes("84 1b 8123 08"));
    assertThat(ByteBuffer.wrap(written).getInt(5)).isEqualTo(written.length - 9);
  }

  @Test
  void requests_are_compressed_if_it_is_worth_it() {
    end = WireEnd.client();
    end.framing.compression(Compression.LZ4);
    for (int length : new int[] {1, 511, 512}) {
      byte[] query =
          WireEnd.joined(WireEnd.bytes("04 00 0001 07 %08x".formatted(length)), new byte[length]);
      byte flags = end.write(end.owned(query)).get(0)[1];
      assertThat(flags).as("flags of %s", length).isEqualTo((byte) (length < 512 ? 0 : 1));
    }
  }

  /** While it is compressed, its memory would be needed three times. */
  @Test
  void an_answer_of_more_than_sixteen_megabytes_is_not_compressed() {
    end.framing.compression(Compression.LZ4);
    byte[] longest = end.write(end.owned(envelope(4, 16 << 20))).get(0);
    assertThat(longest[1]).as("flags").isEqualTo((byte) Frame.FLAG_COMPRESSED);
    byte[] whole = end.write(end.owned(envelope(4, (16 << 20) + 1))).get(0);
    assertThat(whole[1]).as("flags").isZero();
    assertThat(whole).hasSize(Frame.HEADER_LENGTH + (16 << 20) + 1);
  }

  @ParameterizedTest
  @ValueSource(ints = {3, 4, 5})
  void written_bytes_are_those_on_the_wire(int version) {
    end.framing.compression(Compression.LZ4);
    int wire = 0;
    for (int bodyLength : new int[] {0, 5_000, 300_000}) {
      for (byte[] write :
          end.write(end.owned(ready(version)), end.owned(envelope(version, bodyLength)))) {
        wire += write.length;
      }
    }
    assertThat(end.framing.writtenBytes()).isEqualTo(wire);
  }

  @Test
  void an_answer_without_a_body_stays_without() {
    end.framing.compression(Compression.LZ4);
    assertThat(end.write(end.owned(ready(4)))).containsExactly(ready(4));
  }

  @Test
  void startup_and_options_are_never_compressed() {
    end = WireEnd.client();
    end.framing.compression(Compression.LZ4);
    for (String opcode : List.of("01", "05")) {
      byte[] frame =
          WireEnd.joined(WireEnd.bytes("04 00 0001" + opcode + "00000400"), new byte[1024]);
      assertThat(end.write(end.owned(frame))).containsExactly(frame);
    }
  }

  /**
   * In v5 only segments are compressed, never envelopes, not even those before the first segment.
   */
  @Test
  void an_envelope_of_v5_is_not_compressed() {
    end.framing.compression(Compression.LZ4);
    byte[] frame = envelope(5, 2000);
    assertThat(end.write(end.owned(frame))).containsExactly(frame);
  }

  @ParameterizedTest
  @ValueSource(strings = {"02 00000000", "03 00000003 0001 41"})
  void segments_begin_right_behind_ready_or_authenticate(String opcodeAndBody) {
    byte[] last = WireEnd.bytes("85 00 0000" + opcodeAndBody);
    byte[] next = envelope(5, 20);
    List<byte[]> writes = end.write(end.owned(last), end.owned(next));
    assertThat(writes).containsExactly(last, WireEnd.segment(Compression.NONE, true, next));
  }

  @Test
  void answers_between_two_flushes_share_a_segment_that_leaves_in_one_write() {
    end.write(end.owned(ready(5)));
    byte[] one = envelope(5, 20);
    byte[] two = envelope(5, 30);
    assertThat(end.write(end.owned(one), end.owned(two), end.owned(one)))
        .containsExactly(WireEnd.segment(Compression.NONE, true, one, two, one));
    assertThat(end.write(end.owned(two)))
        .containsExactly(WireEnd.segment(Compression.NONE, true, two));
    assertThat(end.write()).isEmpty();
  }

  /** A node closes the connection at the second request of a segment that it cannot decode. */
  @Test
  void requests_never_share_a_segment() {
    end = clientInSegments(Compression.NONE);
    byte[] one = WireEnd.request(5, 1, Options.INSTANCE);
    byte[] two = WireEnd.request(5, 2, new Query("SELECT 1"));
    assertThat(end.write(end.owned(one), end.owned(two)))
        .containsExactly(
            WireEnd.segment(Compression.NONE, true, one),
            WireEnd.segment(Compression.NONE, true, two));
  }

  @ParameterizedTest
  @EnumSource(
      value = Compression.class,
      names = {"NONE", "LZ4"})
  void envelopes_of_every_length_come_back_equal(Compression by) {
    end = WireEnd.inSegments(by);
    int max = 131_071 - 9;
    int[] lengths = {0, 1, 8_000, 70_000, 70_000, 3, max - 1, max, max + 1, 1, 150_000};
    List<String> sent = new ArrayList<>();
    List<byte[]> writes = new ArrayList<>();
    for (int length : lengths) {
      sent.add(hex(envelope(5, length)));
      end.channel.write(end.owned(envelope(5, length)));
    }
    writes.addAll(end.write());
    assertThat(heardBy(clientInSegments(by), writes)).isEqualTo(sent);
  }

  @Test
  void frames_waiting_for_a_flush_are_released_with_their_connection() {
    end = WireEnd.inSegments(Compression.NONE);
    end.channel.write(end.owned(envelope(5, 100)));
    end.channel.write(end.owned(envelope(5, 100)));
    assertThat(end.buffers.held()).isEqualTo(2);
    assertThat(end.heldAfterClose()).isZero();
  }

  /** A connection is closed after an empty write, which earlier frames must precede. */
  @Test
  void other_messages_do_not_overtake_frames() {
    end = WireEnd.inSegments(Compression.NONE);
    byte[] frame = envelope(5, 10);
    end.channel.write(end.owned(frame));
    end.channel.write(Unpooled.wrappedBuffer(new byte[] {42}));
    assertThat(end.write())
        .containsExactly(WireEnd.segment(Compression.NONE, true, frame), new byte[] {42});
  }

  @Test
  void a_client_sends_segments_only_when_it_has_read_ready() {
    end = WireEnd.client();
    byte[] startup = WireEnd.request(5, 0, Options.INSTANCE);
    assertThat(end.write(end.owned(startup))).containsExactly(startup);
    end.arrive(ready(5)).understood();
    byte[] query = WireEnd.request(5, 1, new Query("x"));
    assertThat(end.write(end.owned(query)))
        .containsExactly(WireEnd.segment(Compression.NONE, true, query));
  }

  @Test
  void v4_stays_without_segments() {
    byte[] frame = envelope(4, 3);
    assertThat(end.write(end.owned(ready(4)), end.owned(frame))).containsExactly(ready(4), frame);
  }

  /** Only the node says when segments begin. */
  @Test
  void a_client_begins_no_segments_by_a_request_with_the_opcode_of_ready() {
    end = WireEnd.client();
    byte[] ready = WireEnd.bytes("05 00 0001 02 00000000");
    assertThat(end.write(end.owned(ready), end.owned(ready))).containsExactly(ready, ready);
  }

  @Test
  void a_segment_is_filled_to_its_last_byte() {
    end = WireEnd.inSegments(Compression.NONE);
    byte[] one = envelope(5, 100_000);
    byte[] rest = envelope(5, Segment.MAX_PAYLOAD_LENGTH - one.length - 9);
    assertThat(end.write(end.owned(one), end.owned(rest)))
        .containsExactly(WireEnd.segment(Compression.NONE, true, one, rest));
    byte[] longer = envelope(5, Segment.MAX_PAYLOAD_LENGTH - one.length - 8);
    assertThat(end.write(end.owned(one), end.owned(longer)))
        .containsExactly(
            WireEnd.segment(Compression.NONE, true, one),
            WireEnd.segment(Compression.NONE, true, longer));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void after_a_flush_a_segment_is_empty_again(int before) {
    end = WireEnd.inSegments(Compression.NONE);
    for (int i = 0; i < before; i++) {
      end.channel.write(end.owned(envelope(5, 70_000 / before)));
    }
    assertThat(end.write()).hasSize(1);
    byte[] next = envelope(5, 40_000);
    assertThat(end.write(end.owned(next), end.owned(next)))
        .containsExactly(WireEnd.segment(Compression.NONE, true, next, next));
  }

  @Test
  void a_frame_that_fits_no_segment_alone_spans_several_behind_those_that_wait() {
    end = WireEnd.inSegments(Compression.NONE);
    byte[] waits = envelope(5, 1);
    byte[] most = envelope(5, Segment.MAX_PAYLOAD_LENGTH - 9);
    byte[] more = envelope(5, Segment.MAX_PAYLOAD_LENGTH - 8);
    assertThat(end.write(end.owned(waits), end.owned(most), end.owned(more), end.owned(waits)))
        .containsExactly(
            WireEnd.segment(Compression.NONE, true, waits),
            WireEnd.segment(Compression.NONE, true, most),
            WireEnd.segment(
                Compression.NONE, false, Arrays.copyOf(more, Segment.MAX_PAYLOAD_LENGTH)),
            WireEnd.segment(
                Compression.NONE,
                false,
                Arrays.copyOfRange(more, Segment.MAX_PAYLOAD_LENGTH, more.length)),
            WireEnd.segment(Compression.NONE, true, waits));
  }

  /** Nobody waits for a single frame, and the segment's write is another. */
  @Test
  void a_frame_that_waits_for_its_segment_counts_as_written() {
    end = WireEnd.inSegments(Compression.NONE);
    assertThat(end.channel.write(end.owned(envelope(5, 10))).isSuccess()).isTrue();
    assertThat(end.left()).isEmpty();
    assertThat(end.write()).hasSize(1);
  }

  @Test
  void a_small_segment_is_one_buffer_and_a_large_one_is_not_copied() {
    end = WireEnd.inSegments(Compression.NONE);
    int around = 6 + 4 + 9;
    for (int length : new int[] {8 * 1024 - around, 8 * 1024 - around + 1}) {
      end.channel.write(end.owned(envelope(5, length)));
      end.channel.flush();
      ByteBuf written = end.channel.readOutbound();
      assertThat(written.nioBufferCount() == 1)
          .as("%d bytes", written.readableBytes())
          .isEqualTo(written.readableBytes() <= 8 * 1024);
      written.release();
    }
  }
}
