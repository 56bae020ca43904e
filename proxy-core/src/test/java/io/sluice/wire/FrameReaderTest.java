package io.sluice.wire;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.protocol.internal.request.Query;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of plain frames: all of v3 and v4, and v5 before its segments. */
class FrameReaderTest {

  /** OPTIONS in v4 on stream 1. */
  private static final String OPTIONS = "04 00 0001 05 00000000";

  /** QUERY "x" at ONE in v4 on stream 2. */
  private static final String QUERY = "04 00 0002 07 00000008 00000001 78 0001 00";

  private WireEnd end = WireEnd.server();

  @AfterEach
  void every_buffer_is_released() {
    assertThat(end.heldAfterClose()).isZero();
  }

  private static String plain(String hex) {
    return hex.replace(" ", "");
  }

  @Test
  void frames_are_read_wherever_the_stream_is_cut() {
    byte[] both = WireEnd.bytes(OPTIONS + QUERY);
    for (int cut = 0; cut <= both.length; cut++) {
      assertThat(end.arrive(both, cut).understood())
          .as("cut at %d", cut)
          .containsExactly(plain(OPTIONS), plain(QUERY));
    }
    for (byte each : both) {
      end.arrive(new byte[] {each});
    }
    assertThat(end.understood()).containsExactly(plain(OPTIONS), plain(QUERY));
  }

  @Test
  void a_frame_that_never_ends_is_dropped_with_its_connection() {
    end.arrive(WireEnd.bytes("04 00 0002 07 00000008 0000"));
    assertThat(end.understood()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "01 00 07 05 00000002 abcd | 7",
        "02 00 07 05 00000002 abcd | 7",
        "42 00 0007 05 00000002 abcd | 7",
        "06 10 0007 05 00000002 abcd | 7",
        "7f 00 0007 05 00000002 abcd | 7",
        "00 00 07 05 00000000 | 7",
        "42 00 fff9 05 00000000 | -7",
      })
  void an_unsupported_version_is_refused_on_its_stream_in_cassandras_words_and_the_next_is_read(
      String hex, int stream) {
    byte[] bytes = WireEnd.bytes(hex + OPTIONS);
    String words =
        "Invalid or unsupported protocol version (%d); supported versions are (3/v3, 4/v4, 5/v5)"
            .formatted(bytes[0]);
    for (int cut = 0; cut < bytes.length; cut++) {
      assertThat(end.arrive(bytes, cut).understood())
          .as("cut at %d", cut)
          .containsExactly("000a on " + stream + ": " + words, plain(OPTIONS));
    }
  }

  @Test
  void v6_without_its_flag_is_a_beta_version() {
    end.arrive(WireEnd.bytes("06 00 0003 05 00000000"));
    assertThat(end.understood())
        .containsExactly(
            "000a on 3: Beta version of the protocol used (6/v6-beta), but USE_BETA flag is unset");
  }

  @Test
  void bytes_that_are_not_cql_are_refused_once_and_for_good() {
    end.arrive("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n".getBytes(UTF_8)).arrive(new byte[100]);
    assertThat(end.understood())
        .singleElement()
        .asString()
        .startsWith("fatal 000a on 0: Invalid or unsupported protocol version (71)");
  }

  @Test
  void a_frame_of_the_wrong_direction_is_refused_once_and_for_good() {
    end.arrive(WireEnd.bytes("84 00 0001 02 00000000")).arrive(WireEnd.bytes(OPTIONS));
    assertThat(end.understood())
        .containsExactly("fatal 000a on 0: Frame of the wrong direction (first byte 132)");
    end = WireEnd.client();
    end.arrive(WireEnd.bytes(OPTIONS));
    assertThat(end.understood())
        .containsExactly("fatal 000a on 0: Frame of the wrong direction (first byte 4)");
  }

  @Test
  void too_long_a_frame_is_refused_without_being_kept_and_the_next_is_read() {
    byte[] header = WireEnd.bytes("04 00 0005 07 00100001");
    byte[] bytes =
        WireEnd.joined(header, new byte[WireEnd.MAX_FRAME_BYTES + 1], WireEnd.bytes(OPTIONS));
    for (int cut : new int[] {5, 9, 4096, bytes.length - 9}) {
      assertThat(end.arrive(bytes, cut).understood())
          .containsExactly(
              "2200 on 5: Frame of 1048577 bytes is larger than cql.maxFrameBytes (1048576)",
              plain(OPTIONS));
    }
    end.arrive(WireEnd.bytes("04 00 0005 07 ffffffff 00"));
    assertThat(end.understood())
        .containsExactly(
            "2200 on 5: Frame of 4294967295 bytes is larger than cql.maxFrameBytes (1048576)");
  }

  @Test
  void a_frame_of_the_greatest_length_is_read() {
    end.framing.limitBeforeLogin(64);
    assertThat(end.arrive(envelopeOf(4, 64)).understood()).containsExactly(hex(envelopeOf(4, 64)));
  }

  private static String hex(byte[] bytes) {
    return ByteBufUtil.hexDump(bytes);
  }

  /** Its length may be no length at all. */
  @Test
  void too_long_a_frame_of_an_unsupported_version_ends_the_connection() {
    end.framing.limitBeforeLogin(64);
    end.arrive(WireEnd.joined(envelopeOf(0x42, 64), WireEnd.bytes(OPTIONS)));
    assertThat(end.understood()).hasSize(2).last().isEqualTo(plain(OPTIONS));
    end.arrive(WireEnd.joined(envelopeOf(0x42, 65), WireEnd.bytes(OPTIONS)));
    assertThat(end.understood())
        .singleElement()
        .asString()
        .startsWith("fatal 000a on 0: Invalid or unsupported protocol version (66)");
  }

  /** Only the proxy says when segments begin. */
  @Test
  void a_client_begins_no_segments_by_a_request_with_the_opcode_of_ready() {
    String ready = "05 00 0001 02 00000000";
    end.arrive(WireEnd.bytes(ready + ready));
    assertThat(end.understood()).containsExactly(plain(ready), plain(ready));
  }

  @Test
  void other_messages_are_passed_on() {
    end.channel.writeInbound("not bytes");
    assertThat(end.understood()).containsExactly("? not bytes");
  }

  @Test
  void before_login_frames_are_small() {
    end.framing.limitBeforeLogin(64);
    end.arrive(WireEnd.joined(envelopeOf(4, 65), WireEnd.bytes(OPTIONS)));
    assertThat(end.understood())
        .containsExactly(
            "2200 on 9: Frame of 65 bytes is larger than a frame may be before login (64)",
            plain(OPTIONS));
    end.framing.loggedIn();
    assertThat(end.arrive(envelopeOf(4, 65)).understood()).hasSize(1);
  }

  @Test
  void unfinished_frames_are_counted() {
    byte[] frame = envelopeOf(4, 10_000);
    end.arrive(Arrays.copyOf(frame, 5_000));
    assertThat(end.framing.unfinishedBytes()).isBetween(5_000, 16_384);
    end.arrive(Arrays.copyOfRange(frame, 5_000, frame.length));
    assertThat(end.framing.unfinishedBytes()).isZero();
    end.understood();
  }

  /** Returns a frame with a body of this length. */
  private static byte[] envelopeOf(int version, int bytes) {
    return WireEnd.joined(
        WireEnd.bytes("%02x 00 0009 07 %08x".formatted(version, bytes)), new byte[bytes]);
  }

  private static byte[] compressed(Compression by, String query, int version) {
    byte[] plain = WireEnd.request(version, 9, new Query(query));
    ByteBuf body = Unpooled.directBuffer().writeBytes(plain, 9, plain.length - 9);
    ByteBuf packed = by.compressor().compress(body);
    try {
      return envelope(version, ByteBufUtil.getBytes(packed));
    } finally {
      body.release();
      packed.release();
    }
  }

  private static byte[] envelope(int version, byte[] body) {
    return WireEnd.joined(
        WireEnd.bytes("%02x 01 0009 07 %08x".formatted(version, body.length)), body);
  }

  @ParameterizedTest
  @EnumSource(
      value = Compression.class,
      names = {"LZ4", "SNAPPY"})
  void a_compressed_body_is_inflated_and_its_flag_cleared(Compression by) {
    String query = "SELECT 1 ".repeat(500);
    for (int version = 3; version <= 4; version++) {
      end.framing.compression(by);
      String whole = ByteBufUtil.hexDump(WireEnd.request(version, 9, new Query(query)));
      byte[] packed = compressed(by, query, version);
      assertThat(packed.length).isLessThan(500);
      for (int cut = 0; cut < packed.length; cut += 7) {
        assertThat(end.arrive(packed, cut).understood()).containsExactly(whole);
      }
    }
  }

  @Test
  void inflating_clears_no_other_flag() {
    end.framing.compression(Compression.LZ4);
    byte[] packed = compressed(Compression.LZ4, "x", 4);
    packed[1] |= 0x1a;
    byte[] whole = WireEnd.request(4, 9, new Query("x"));
    whole[1] = 0x1a;
    assertThat(end.arrive(packed).understood()).containsExactly(hex(whole));
    end.arrive(WireEnd.bytes("05 1b 0001 05 00000000"));
    assertThat(end.understood()).containsExactly(plain("05 1a 0001 05 00000000"));
  }

  /** Cassandra compresses even the empty body of a READY. */
  @Test
  void an_empty_body_may_be_compressed() {
    end = WireEnd.client();
    end.framing.compression(Compression.LZ4);
    end.arrive(WireEnd.bytes("84 01 0000 02 00000005 00000000 00"));
    assertThat(end.understood()).containsExactly(plain("84 00 0000 02 00000000"));
    end.framing.compression(Compression.SNAPPY);
    end.arrive(WireEnd.bytes("84 01 0000 02 00000001 00"));
    assertThat(end.understood()).containsExactly(plain("84 00 0000 02 00000000"));
  }

  @Test
  void the_flag_of_each_frame_counts_and_not_the_negotiation() {
    end.framing.compression(Compression.LZ4);
    assertThat(end.arrive(WireEnd.bytes(QUERY)).understood()).containsExactly(plain(QUERY));
  }

  @Test
  void a_compressed_frame_needs_negotiated_compression() {
    assertThat(end.arrive(compressed(Compression.LZ4, "x", 4)).understood())
        .containsExactly("000a on 9: Compressed frame, but no compression was agreed on");
  }

  /** gocql sets this flag. */
  @Test
  void v5_ignores_the_compression_flag() {
    end.arrive(WireEnd.bytes("05 01 0001 05 00000000"));
    assertThat(end.understood()).containsExactly(plain("05 00 0001 05 00000000"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "LZ4 ",
        "LZ4 00",
        "LZ4 00 00 00",
        "LZ4 7fffffff 00",
        "LZ4 80000000 00",
        "LZ4 ffffffff 00",
        "LZ4 00100001 00",
        "LZ4 00000010",
        "LZ4 00000010 ff ff ff ff",
        "LZ4 00000010 10 41",
        "LZ4 00000001 20 41 41",
        "SNAPPY ",
        "SNAPPY ff ff ff ff 07 00",
        "SNAPPY ff ff ff ff ff ff",
        "SNAPPY 10 ff ff ff",
        "SNAPPY 10 00 41",
        "SNAPPY 80 80 80 01 00",
      })
  void a_body_that_does_not_inflate_fails_its_request_only(String broken) {
    String[] parts = broken.split(" ", 2);
    end.framing.compression(Compression.valueOf(parts[0]));
    byte[] body = WireEnd.bytes(parts[1]);
    end.arrive(WireEnd.joined(envelope(4, body), WireEnd.bytes(OPTIONS)));
    List<String> understood = end.understood();
    assertThat(understood).hasSize(2);
    assertThat(understood.get(0)).startsWith("000a on 9: C");
    assertThat(understood.get(1)).isEqualTo(plain(OPTIONS));
  }

  /** Otherwise four bytes could cause a megabyte to be allocated. */
  @ParameterizedTest
  @ValueSource(strings = {"LZ4 00100000 00", "SNAPPY 80 80 40 00"})
  void no_more_memory_is_allocated_than_a_body_can_inflate_to(String broken) {
    String[] parts = broken.split(" ", 2);
    end.framing.compression(Compression.valueOf(parts[0]));
    assertThat(end.arrive(envelope(4, WireEnd.bytes(parts[1]))).understood())
        .containsExactly("000a on 9: Compressed frame of 1048576 bytes is broken");
  }

  /** Its compressed length is far below the limit. */
  @ParameterizedTest
  @EnumSource(
      value = Compression.class,
      names = {"LZ4", "SNAPPY"})
  void a_frame_that_would_inflate_beyond_the_limit_is_refused_and_the_next_is_read(Compression by) {
    byte[] request = inflatesBeyondTheLimit(by);
    end.framing.compression(by);
    List<String> understood = end.arrive(request).arrive(WireEnd.bytes(OPTIONS)).understood();
    assertThat(understood).hasSize(2).last().isEqualTo(plain(OPTIONS));
    assertThat(understood.get(0))
        .startsWith("2200 on 9: Frame of 10")
        .endsWith(" bytes is larger than cql.maxFrameBytes (1048576)");
    byte[] answer = inflatesBeyondTheLimit(by);
    answer[0] |= (byte) 0x80;
    String ready = "84 00 0001 02 00000000";
    end = WireEnd.client();
    end.framing.compression(by);
    understood = end.arrive(answer).arrive(WireEnd.bytes(ready)).understood();
    assertThat(understood).hasSize(2).last().isEqualTo(plain(ready));
    assertThat(understood.get(0))
        .startsWith("2200 on 9: The answer of 10")
        .endsWith(" bytes is larger than any that is read (1048576); read it in pages");
  }

  private static byte[] inflatesBeyondTheLimit(Compression by) {
    StringBuilder text = new StringBuilder("x".repeat(WireEnd.MAX_FRAME_BYTES));
    new Random(1).ints(20_000, 'a', 'z' + 1).forEach(each -> text.append((char) each));
    byte[] whole = compressed(by, text.toString(), 4);
    return envelope(4, Arrays.copyOfRange(whole, 9, whole.length));
  }

  @Test
  void a_truncated_compressed_body_never_inflates() {
    for (Compression by : List.of(Compression.LZ4, Compression.SNAPPY)) {
      end.framing.compression(by);
      byte[] whole = compressed(by, "SELECT 1 ".repeat(50), 4);
      for (int length = 9; length < whole.length; length++) {
        byte[] body = Arrays.copyOfRange(whole, 9, length);
        assertThat(end.arrive(envelope(4, body)).understood())
            .singleElement()
            .asString()
            .startsWith("000a on 9: C");
      }
    }
  }
}
