package io.sluice.wire;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.protocol.internal.Segment;
import com.datastax.oss.protocol.internal.request.Options;
import com.datastax.oss.protocol.internal.request.Query;
import io.netty.buffer.ByteBufUtil;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of reading v5's checksummed segments. */
class SegmentsTest {

  private static final byte[] OPTIONS = WireEnd.request(5, 1, Options.INSTANCE);
  private static final byte[] QUERY = WireEnd.request(5, 2, new Query("SELECT 1"));

  private WireEnd end = WireEnd.inSegments(Compression.NONE);

  @AfterEach
  void every_buffer_is_released() {
    assertThat(end.heldAfterClose()).isZero();
  }

  private static String hex(byte[] bytes) {
    return ByteBufUtil.hexDump(bytes);
  }

  private static byte[] longQuery(int length) {
    byte[] text = new byte[length];
    new Random(length).nextBytes(text);
    for (int i = 0; i < length; i++) {
      text[i] = (byte) ('a' + (text[i] & 15));
    }
    return WireEnd.request(
        5, 3, new Query(new String(text, java.nio.charset.StandardCharsets.US_ASCII)));
  }

  @ParameterizedTest
  @EnumSource(
      value = Compression.class,
      names = {"NONE", "LZ4"})
  void a_segment_may_hold_several_envelopes_and_be_cut_anywhere(Compression by) {
    end = WireEnd.inSegments(by);
    byte[] one = WireEnd.segment(by, true, OPTIONS, QUERY);
    byte[] two = WireEnd.segment(by, true, longQuery(400));
    byte[] both = WireEnd.joined(one, two);
    for (int cut = 0; cut <= both.length; cut++) {
      assertThat(end.arrive(both, cut).understood())
          .as("cut at %d", cut)
          .containsExactly(hex(OPTIONS), hex(QUERY), hex(longQuery(400)));
    }
  }

  /** Bytes that do not shrink are stored, with 0 as their uncompressed length. */
  @Test
  void a_segment_that_does_not_shrink_is_stored() {
    end = WireEnd.inSegments(Compression.LZ4);
    byte[] stored = WireEnd.segment(Compression.LZ4, true, OPTIONS);
    assertThat(stored).hasSize(5 + 3 + OPTIONS.length + 4);
    assertThat(end.arrive(stored).understood()).containsExactly(hex(OPTIONS));
  }

  @ParameterizedTest
  @EnumSource(
      value = Compression.class,
      names = {"NONE", "LZ4"})
  void an_envelope_may_span_segments(Compression by) {
    end = WireEnd.inSegments(by);
    byte[] query = longQuery(300_000);
    List<byte[]> segments = new ArrayList<>();
    for (int from = 0; from < query.length; from += Segment.MAX_PAYLOAD_LENGTH) {
      int to = Math.min(query.length, from + Segment.MAX_PAYLOAD_LENGTH);
      segments.add(WireEnd.segment(by, false, Arrays.copyOfRange(query, from, to)));
    }
    segments.add(WireEnd.segment(by, true, OPTIONS));
    assertThat(segments).hasSize(4);
    end.arrive(WireEnd.joined(segments.toArray(byte[][]::new)));
    assertThat(end.understood()).containsExactly(hex(query), hex(OPTIONS));
  }

  /** Cassandra fills its segments less than the vendor's codec does. */
  private static final int[] UNEVEN = {5, 131_060, 262_120, 300_000};

  private static byte[] answer(int length) {
    byte[] answer = new byte[length];
    new Random(length).nextBytes(answer);
    java.nio.ByteBuffer.wrap(answer)
        .put((byte) 0x85)
        .put((byte) 0)
        .putShort((short) 3)
        .put((byte) Opcode.RESULT)
        .putInt(length - Frame.HEADER_LENGTH);
    return answer;
  }

  private static byte[] inUnevenSegments(Compression by, byte[] answer) {
    List<byte[]> segments = new ArrayList<>();
    int from = 0;
    for (int to : UNEVEN) {
      segments.add(WireEnd.segment(by, false, Arrays.copyOfRange(answer, from, to)));
      from = to;
    }
    return WireEnd.joined(segments.toArray(byte[][]::new));
  }

  @ParameterizedTest
  @ValueSource(ints = {1_000, 70_000, 131_070, 1_000_000})
  void a_large_answer_leaves_in_full_segments_however_it_was_cut_on_its_way(int piece) {
    byte[] answer = answer(300_000);
    byte[] segments = inUnevenSegments(Compression.NONE, answer);
    WireEnd node = new WireEnd(Framing.Side.CLIENT, end.buffers).afterReady(Compression.NONE);
    node.arrive(segments, cutsEvery(piece, segments.length));
    Frame frame = node.channel.readInbound();

    int full = Segment.MAX_PAYLOAD_LENGTH;
    assertThat(end.write(frame))
        .containsExactly(
            WireEnd.segment(Compression.NONE, false, Arrays.copyOf(answer, full)),
            WireEnd.segment(Compression.NONE, false, Arrays.copyOfRange(answer, full, 2 * full)),
            WireEnd.segment(
                Compression.NONE, false, Arrays.copyOfRange(answer, 2 * full, answer.length)));
    assertThat(node.heldAfterClose()).isZero();
  }

  @Test
  void a_large_answer_from_a_node_can_be_compressed_for_the_client() {
    byte[] answer = answer(300_000);
    end = WireEnd.inSegments(Compression.LZ4);
    WireEnd node = new WireEnd(Framing.Side.CLIENT, end.buffers).afterReady(Compression.NONE);
    node.arrive(inUnevenSegments(Compression.NONE, answer));
    Frame frame = node.channel.readInbound();
    WireEnd client = new WireEnd(Framing.Side.CLIENT, end.buffers).afterReady(Compression.LZ4);

    end.write(frame).forEach(client::arrive);

    assertThat(client.understood()).containsExactly(hex(answer));
    assertThat(client.heldAfterClose()).isZero();
  }

  private static int[] cutsEvery(int piece, int length) {
    return java.util.stream.IntStream.iterate(piece, at -> at < length, at -> at + piece).toArray();
  }

  @Test
  void an_envelopes_header_may_straddle_two_segments() {
    for (int cut = 1; cut < QUERY.length; cut++) {
      end.arrive(
          WireEnd.joined(
              WireEnd.segment(Compression.NONE, false, Arrays.copyOf(QUERY, cut)),
              WireEnd.segment(
                  Compression.NONE, false, Arrays.copyOfRange(QUERY, cut, QUERY.length)),
              WireEnd.segment(Compression.NONE, true, OPTIONS)));
      assertThat(end.understood()).as("cut at %d", cut).containsExactly(hex(QUERY), hex(OPTIONS));
    }
  }

  @Test
  void an_envelope_that_never_ends_is_dropped_with_its_connection() {
    end.arrive(WireEnd.segment(Compression.NONE, false, Arrays.copyOf(QUERY, 15)));
    end.arrive(WireEnd.segment(Compression.NONE, false, Arrays.copyOfRange(QUERY, 15, 16)), 3);
    assertThat(end.understood()).isEmpty();
  }

  @Test
  void a_flipped_bit_anywhere_ends_the_connection() {
    for (Compression by : List.of(Compression.NONE, Compression.LZ4)) {
      byte[] sound = WireEnd.segment(by, true, longQuery(60));
      for (int bit = 0; bit < 8 * sound.length; bit++) {
        end = WireEnd.inSegments(by);
        byte[] broken = sound.clone();
        broken[bit / 8] ^= (byte) (1 << (bit % 8));
        end.arrive(broken).arrive(sound);
        assertThat(end.understood())
            .as("bit %d", bit)
            .singleElement()
            .asString()
            .startsWith("fatal 000a on 0: ");
        assertThat(end.heldAfterClose()).as("bit %d", bit).isZero();
      }
    }
  }

  /** Bytes with valid checksums may still be invalid LZ4. */
  @ParameterizedTest
  @ValueSource(ints = {1, 100, 131_071})
  void a_segment_that_does_not_inflate_ends_the_connection(int announced) {
    end = WireEnd.inSegments(Compression.LZ4);
    end.arrive(HandMade.compressedSegment(WireEnd.bytes("ff ff ff ff"), announced));
    assertThat(end.understood())
        .singleElement()
        .asString()
        .startsWith("fatal 000a on 0: Cannot read segment");
  }

  @Test
  void a_self_contained_segment_ends_with_an_envelope() {
    end.arrive(WireEnd.segment(Compression.NONE, true, OPTIONS, Arrays.copyOf(QUERY, 12)));
    assertThat(end.understood())
        .containsExactly(
            hex(OPTIONS), "fatal 000a on 0: A self-contained segment ends inside a frame");
  }

  /** A node reads and drops such a request, too. */
  @Test
  void a_request_that_is_too_long_is_refused_on_its_stream_and_the_next_one_is_read() {
    byte[] request =
        WireEnd.joined(WireEnd.bytes("05 00 8005 07 00100001"), new byte[(1 << 20) + 1]);
    String refused =
        "2200 on -32763: Frame of 1048577 bytes is larger than cql.maxFrameBytes (1048576)";
    for (int first : new int[] {3, 9, 100_000}) {
      for (int from = 0, to = first; from < request.length; from = to, to += 100_000) {
        int end = Math.min(to, request.length);
        byte[] part = Arrays.copyOfRange(request, from, end);
        this.end.arrive(WireEnd.segment(Compression.NONE, false, part));
        assertThat(this.end.buffers.held()).isLessThan(2);
      }
      end.arrive(WireEnd.segment(Compression.NONE, true, OPTIONS));
      assertThat(end.understood()).containsExactly(refused, hex(OPTIONS));
    }
  }

  @Test
  void the_last_segment_of_a_request_that_is_too_long_holds_nothing_else() {
    byte[] header = WireEnd.bytes("05 00 0005 07 00100001");
    end.arrive(WireEnd.segment(Compression.NONE, false, header));
    for (int i = 0; i < 9; i++) {
      end.arrive(WireEnd.segment(Compression.NONE, false, new byte[120_000]));
    }
    assertThat(end.understood())
        .hasSize(2)
        .last()
        .asString()
        .isEqualTo("fatal 000a on 0: The last segment of a large frame holds more than the frame");
  }

  @Test
  void a_self_contained_segment_with_the_header_of_a_long_envelope_ends_the_connection() {
    end.arrive(WireEnd.segment(Compression.NONE, true, WireEnd.bytes("05 00 0005 07 ffffffff")));
    assertThat(end.understood()).singleElement().asString().startsWith("fatal 000a on 0: Frame of");
  }

  @Test
  void an_answer_of_an_impossible_length_ends_the_link_at_its_header() {
    WireEnd node = new WireEnd(Framing.Side.CLIENT, end.buffers).afterReady(Compression.NONE);
    byte[] header = WireEnd.bytes("85 00 0005 08 ffffffff");
    node.arrive(WireEnd.segment(Compression.NONE, false, header, new byte[100]));
    assertThat(node.understood())
        .singleElement()
        .asString()
        .startsWith("fatal 000a on 0: The answer of 4294967295 bytes");
    assertThat(node.heldAfterClose()).isZero();
  }

  @Test
  void a_limit_before_login_applies_in_segments_too() {
    end.framing.limitBeforeLogin(20);
    byte[] small = WireEnd.bytes("05 00 0005 0f 00000014" + "00".repeat(20));
    byte[] large = WireEnd.bytes("05 00 0005 0f 00000015" + "00".repeat(21));
    for (boolean selfContained : new boolean[] {true, false}) {
      end.arrive(WireEnd.segment(Compression.NONE, selfContained, small));
      assertThat(end.understood()).containsExactly(hex(small));
    }
    for (boolean selfContained : new boolean[] {true, false}) {
      end = WireEnd.inSegments(Compression.NONE);
      end.framing.limitBeforeLogin(20);
      end.arrive(WireEnd.segment(Compression.NONE, selfContained, large));
      assertThat(end.understood())
          .containsExactly(
              "fatal 000a on 0: Frame of 21 bytes is larger than a frame may be before login (20)");
      assertThat(end.heldAfterClose()).isZero();
    }
  }

  @Test
  void the_last_segment_of_an_envelope_holds_nothing_else() {
    end.arrive(
        WireEnd.joined(
            WireEnd.segment(Compression.NONE, false, Arrays.copyOf(QUERY, 12)),
            WireEnd.segment(
                Compression.NONE, false, Arrays.copyOfRange(QUERY, 12, QUERY.length), OPTIONS),
            WireEnd.segment(Compression.NONE, true, OPTIONS)));
    assertThat(end.understood())
        .containsExactly(
            "fatal 000a on 0: The last segment of a large frame holds more than the frame");
  }

  /** The flag says only that no envelope begins in the segment. */
  @Test
  void an_envelope_may_end_in_a_segment_that_is_marked_as_self_contained() {
    end.arrive(WireEnd.segment(Compression.NONE, false, Arrays.copyOf(QUERY, 12)));
    end.arrive(
        WireEnd.segment(Compression.NONE, true, Arrays.copyOfRange(QUERY, 12, QUERY.length)));
    end.arrive(WireEnd.segment(Compression.NONE, true, OPTIONS));
    assertThat(end.understood()).containsExactly(hex(QUERY), hex(OPTIONS));
  }

  @Test
  void an_envelope_that_spans_segments_is_checked_when_it_is_complete() {
    for (String first : List.of("85", "42", "06")) {
      end = WireEnd.inSegments(Compression.NONE);
      byte[] frame = WireEnd.bytes(first + "00 0005 07 00000002 0000");
      end.arrive(WireEnd.segment(Compression.NONE, false, Arrays.copyOf(frame, 10)));
      assertThat(end.understood()).isEmpty();
      end.arrive(WireEnd.segment(Compression.NONE, false, new byte[1]));
      assertThat(end.understood()).singleElement().asString().startsWith("fatal 000a on 0: ");
      assertThat(end.heldAfterClose()).isZero();
    }
  }

  @Test
  void an_unsupported_version_in_a_segment_ends_the_connection() {
    for (String hex : List.of("42 00 0005 07 00000100", "01 00 05 05 00000000", "06", "85 00")) {
      end = WireEnd.inSegments(Compression.NONE);
      end.arrive(WireEnd.segment(Compression.NONE, true, WireEnd.bytes(hex)));
      assertThat(end.understood()).singleElement().asString().startsWith("fatal 000a on 0: ");
      assertThat(end.heldAfterClose()).isZero();
    }
  }

  @Test
  void the_compression_flag_of_an_envelope_means_nothing() {
    byte[] flagged = OPTIONS.clone();
    flagged[1] = 1;
    end.arrive(WireEnd.segment(Compression.NONE, true, flagged));
    end.arrive(WireEnd.segment(Compression.NONE, false, flagged));
    assertThat(end.understood()).containsExactly(hex(OPTIONS), hex(OPTIONS));
  }

  @Test
  void an_empty_segment_says_nothing() {
    end.arrive(WireEnd.segment(Compression.NONE, true));
    end.arrive(WireEnd.segment(Compression.NONE, false));
    end.arrive(WireEnd.segment(Compression.NONE, false, OPTIONS));
    assertThat(end.understood()).containsExactly(hex(OPTIONS));
  }

  /** The bytes right after READY may be a segment. */
  @ParameterizedTest
  @ValueSource(strings = {"02 00000000", "03 00000003 0001 41"})
  void segments_begin_right_behind_ready_or_authenticate(String opcodeAndBody) {
    end = WireEnd.client();
    byte[] first = WireEnd.bytes("85 00 0000" + opcodeAndBody);
    byte[] event = WireEnd.bytes("85 00 ffff 0c 00000000");
    byte[] both = WireEnd.joined(first, WireEnd.segment(Compression.NONE, true, event));
    assertThat(end.arrive(both).understood()).containsExactly(hex(first), hex(event));
  }

  /** A client may not send these bytes. They are read as what is due after READY. */
  @Test
  void more_bytes_than_a_segments_header_may_have_arrived_before_ready() {
    byte[] segment = WireEnd.segment(Compression.NONE, true, OPTIONS);
    for (int early = 1; early < Frame.HEADER_LENGTH; early++) {
      end = WireEnd.server();
      byte[] before = Arrays.copyOf(OPTIONS, early);
      assertThat(end.arrive(before).understood()).isEmpty();
      end.afterReady(Compression.NONE).arrive(segment);
      assertThat(end.understood())
          .singleElement()
          .asString()
          .startsWith("fatal 000a on 0: CRC mismatch");
      assertThat(end.heldAfterClose()).isZero();
    }
  }

  /** A broken node may send this, and Snappy cannot read segments. */
  @Test
  void a_ready_of_v5_begins_no_segments_with_snappy() {
    end = WireEnd.client();
    end.framing.compression(Compression.SNAPPY);
    byte[] ready = WireEnd.bytes("85 00 0000 02 00000000");
    end.arrive(WireEnd.joined(ready, WireEnd.segment(Compression.NONE, true, ready)));
    assertThat(end.understood())
        .hasSize(2)
        .last()
        .asString()
        .startsWith("fatal 000a on 0: Frame of the wrong direction");
  }

  @Test
  void v4_has_no_segments() {
    end = WireEnd.client();
    byte[] ready = WireEnd.bytes("84 00 0000 02 00000000");
    end.arrive(WireEnd.joined(ready, ready));
    assertThat(end.understood()).containsExactly(hex(ready), hex(ready));
  }
}
