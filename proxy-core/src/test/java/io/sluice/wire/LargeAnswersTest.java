package io.sluice.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of answers that arrive from a node in parts, and of those that are not read. */
class LargeAnswersTest {

  private static final int BODY = 400_000;
  private static final int SMALL = 64 * 1024;

  private final WireEnd end = WireEnd.client();
  private final List<String> log = new ArrayList<>();
  private long free = 1 << 20;

  LargeAnswersTest() {
    end.framing.answerMemory(
        new AnswerMemory() {
          @Override
          public @Nullable Refusal reserve(long bytes) {
            log.add("reserve " + bytes);
            return bytes <= free ? null : new Refusal(ErrorCode.OVERLOADED, bytes + " too many");
          }

          @Override
          public void release() {
            log.add("release");
          }
        });
  }

  @AfterEach
  void every_buffer_is_released() {
    assertThat(end.heldAfterClose()).isZero();
  }

  /** Returns an answer on stream 9. */
  private static byte[] answer(int version, int body) {
    byte[] bytes =
        WireEnd.joined(
            WireEnd.bytes("%02x 00 0009 08 %08x".formatted(0x80 | version, body)), new byte[body]);
    Arrays.fill(bytes, 9, bytes.length, (byte) version);
    return bytes;
  }

  private static byte[] ready(int version) {
    return WireEnd.bytes("%02x 00 0001 02 00000000".formatted(0x80 | version));
  }

  private static String hex(byte[] bytes) {
    return ByteBufUtil.hexDump(bytes);
  }

  /** Returns the segments of an envelope, which span it. */
  private static byte[] segments(Compression by, byte[] envelope) {
    List<byte[]> all = new ArrayList<>();
    for (int from = 0; from < envelope.length; from += 100_000) {
      int to = Math.min(envelope.length, from + 100_000);
      all.add(WireEnd.segment(by, false, Arrays.copyOfRange(envelope, from, to)));
    }
    return WireEnd.joined(all.toArray(byte[][]::new));
  }

  @ParameterizedTest
  @ValueSource(ints = {3, 4})
  void an_answer_that_does_not_fit_is_skipped_and_the_next_is_read(int version) {
    free = BODY;
    byte[] bytes = WireEnd.joined(answer(version, BODY), ready(version));
    for (int cut : new int[] {1, 8, 9, 10, 5_000, BODY + 8, BODY + 9}) {
      end.arrive(bytes, cut);
      String refused = BODY + 9 + " too many";
      boolean whole = cut >= BODY + 9;
      assertThat(end.understood())
          .as("cut at %d", cut)
          .containsExactly(
              whole ? hex(answer(version, BODY)) : "1001 on 9: " + refused, hex(ready(version)));
    }
  }

  @Test
  void an_answer_that_does_not_fit_takes_no_memory() {
    free = BODY;
    byte[] bytes = answer(4, BODY);
    end.arrive(Arrays.copyOf(bytes, 9));
    end.arrive(Arrays.copyOfRange(bytes, 9, 200_000));
    assertThat(end.framing.unfinishedBytes()).isZero();
    assertThat(end.buffers.held()).isZero();
    assertThat(log).containsExactly("reserve " + (BODY + 9));
    assertThat(end.understood()).hasSize(1);
  }

  @ParameterizedTest
  @EnumSource(
      value = Compression.class,
      names = {"NONE", "LZ4"})
  void an_answer_in_segments_that_does_not_fit_is_skipped_and_the_next_is_read(Compression by) {
    end.afterReady(by);
    free = BODY;
    byte[] large = segments(by, answer(5, BODY));
    byte[] bytes = WireEnd.joined(large, WireEnd.segment(by, true, ready(5)));
    for (int cut : new int[] {0, 1, 7, 20, large.length / 2, large.length - 1, large.length}) {
      end.arrive(Arrays.copyOf(bytes, cut));
      end.arrive(Arrays.copyOfRange(bytes, cut, bytes.length));
      assertThat(end.understood())
          .as("cut at %d", cut)
          .containsExactly("1001 on 9: " + (BODY + 9) + " too many", hex(ready(5)));
    }
    end.arrive(Arrays.copyOf(large, large.length / 2));
    assertThat(end.framing.unfinishedBytes()).as("a part of a segment").isLessThan(128 * 1024 + 8);
  }

  @Test
  void memory_is_reserved_once_and_ends_before_the_answer_is_passed_on() {
    byte[] bytes = answer(4, BODY);
    end.arrive(bytes, 5, 9, 10, 20_000);
    assertThat(end.understood()).containsExactly(hex(bytes));
    assertThat(log).containsExactly("reserve " + (BODY + 9), "release");
    log.clear();
    end.afterReady(Compression.NONE).arrive(segments(Compression.NONE, answer(5, BODY)));
    assertThat(end.understood()).containsExactly(hex(answer(5, BODY)));
    assertThat(log).containsExactly("reserve " + (BODY + 9), "release");
  }

  @Test
  void an_answer_that_arrives_at_once_or_is_small_needs_no_reservation() {
    free = 0;
    end.arrive(answer(4, BODY));
    end.arrive(answer(4, SMALL - 9), 100);
    assertThat(end.understood()).hasSize(2);
    assertThat(log).isEmpty();
    end.arrive(answer(4, SMALL - 8), 100);
    assertThat(log).containsExactly("reserve " + (SMALL + 1));
  }

  @Test
  void an_answer_that_fits_arrives_in_one_buffer_of_its_length_wherever_its_header_is_cut() {
    byte[] bytes = answer(4, BODY);
    for (int cut = 1; cut <= 10; cut++) {
      end.arrive(Arrays.copyOf(bytes, cut));
      end.arrive(Arrays.copyOfRange(bytes, cut, 100));
      end.arrive(Arrays.copyOfRange(bytes, 100, 101));
      assertThat(end.framing.unfinishedBytes()).as("cut at %d", cut).isEqualTo(BODY + 9);
      assertThat(end.buffers.held()).isEqualTo(1);
      end.arrive(Arrays.copyOfRange(bytes, 101, bytes.length));
      assertThat(end.buffers.held()).as("the same buffer").isEqualTo(1);
      assertThat(end.understood()).containsExactly(hex(bytes));
    }
  }

  @Test
  void an_answer_in_segments_that_fits_stays_in_the_reads_that_it_came_in() {
    end.afterReady(Compression.NONE);
    byte[] bytes = answer(5, 150_000);
    end.arrive(WireEnd.segment(Compression.NONE, false, Arrays.copyOf(bytes, 100_000)));
    end.arrive(
        WireEnd.segment(Compression.NONE, false, Arrays.copyOfRange(bytes, 100_000, 150_009)));
    assertThat(end.buffers.held()).as("the two reads").isEqualTo(2);
    assertThat(end.understood()).containsExactly(hex(bytes));
    assertThat(log).containsExactly("reserve 150009", "release");
  }

  @Test
  void an_answer_above_the_frame_limit_is_invalid_and_the_next_is_read() {
    int body = WireEnd.MAX_FRAME_BYTES + 1;
    byte[] bytes = WireEnd.joined(answer(4, body), ready(4));
    String refused =
        "2200 on 9: The answer of 1048577 bytes is larger than any that is read (1048576);"
            + " read it in pages";
    assertThat(end.arrive(bytes, 9).understood()).containsExactly(refused, hex(ready(4)));
    end.afterReady(Compression.NONE)
        .arrive(segments(Compression.NONE, answer(5, body)))
        .arrive(WireEnd.segment(Compression.NONE, true, ready(5)));
    assertThat(end.understood()).containsExactly(refused, hex(ready(5)));
    assertThat(log).isEmpty();
  }

  private static byte[] compressed(int body) {
    ByteBuf plain = Unpooled.wrappedBuffer(answer(4, body), 9, body);
    ByteBuf packed = Compression.LZ4.compressor().compress(plain);
    try {
      byte[] bytes = ByteBufUtil.getBytes(packed);
      byte[] header = WireEnd.bytes("84 01 0009 08 %08x".formatted(bytes.length));
      return WireEnd.joined(header, bytes);
    } finally {
      packed.release();
    }
  }

  /** Its compressed bytes are few, and its body is copied once. */
  @Test
  void a_compressed_answer_needs_memory_for_its_plain_body_twice() {
    end.framing.compression(Compression.LZ4);
    byte[] bytes = compressed(BODY);
    long needs = bytes.length + 2L * BODY;
    assertThat(end.arrive(bytes).understood()).containsExactly(hex(answer(4, BODY)));
    assertThat(log).containsExactly("reserve " + needs, "release");
    free = needs - 1;
    assertThat(end.arrive(WireEnd.joined(bytes, ready(4))).understood())
        .containsExactly("1001 on 9: " + needs + " too many", hex(ready(4)));
  }

  @Test
  void a_request_needs_no_reservation() {
    WireEnd client = new WireEnd(Framing.Side.SERVER, end.buffers);
    client.framing.answerMemory(
        new AnswerMemory() {
          @Override
          public Refusal reserve(long bytes) {
            return new Refusal(ErrorCode.OVERLOADED, "no memory");
          }

          @Override
          public void release() {
            throw new AssertionError("nothing is reserved");
          }
        });
    byte[] request = answer(4, BODY);
    request[0] = 4;
    assertThat(client.arrive(request, 9, 20_000).understood()).containsExactly(hex(request));
  }
}
