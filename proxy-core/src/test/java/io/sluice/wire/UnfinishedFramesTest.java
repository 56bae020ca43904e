package io.sluice.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests of the memory that {@link FrameReader} holds for frames, before and after their end. */
class UnfinishedFramesTest {

  private static final int HEADER = Frame.HEADER_LENGTH;

  private WireEnd end = WireEnd.server();

  @AfterEach
  void every_buffer_is_released() {
    assertThat(end.heldAfterClose()).isZero();
  }

  /** Returns a request with a body of this length, or an answer where {@code end} is a client. */
  private byte[] frame(int version, int bodyLength) {
    byte[] header = WireEnd.bytes("%02x 00 0009 08 %08x".formatted(version, bodyLength));
    if (end.framing.side() == Framing.Side.CLIENT) {
      header[0] |= (byte) 0x80;
    }
    return WireEnd.joined(header, new byte[bodyLength]);
  }

  private int unfinishedAfter(byte[] bytes, int length) {
    end.arrive(Arrays.copyOf(bytes, length));
    return end.framing.unfinishedBytes();
  }

  @Test
  void frames_of_one_read_share_its_memory() {
    end.arrive(WireEnd.joined(frame(4, 100), frame(4, 200), frame(4, 300)));
    assertThat(end.channel.inboundMessages()).hasSize(3);
    assertThat(end.buffers.held()).isEqualTo(1);
    assertThat(end.framing.unfinishedBytes()).isZero();
  }

  @Test
  void a_frame_in_parts_has_memory_of_its_own_size_and_holds_no_read() {
    assertThat(unfinishedAfter(frame(4, 1_000), HEADER + 1)).isEqualTo(HEADER + 1_000);
    end.arrive(new byte[500]);
    assertThat(end.buffers.held()).as("only the frame's own").isEqualTo(1);
    assertThat(end.framing.unfinishedBytes()).isEqualTo(HEADER + 1_000);
    end.arrive(new byte[499]);
    assertThat(end.framing.unfinishedBytes()).isZero();
    assertThat(end.channel.inboundMessages()).hasSize(1);
    assertThat(end.buffers.held()).isEqualTo(1);
  }

  @Test
  void a_part_of_a_header_has_room_for_one_byte_more() {
    assertThat(unfinishedAfter(frame(4, 1_000), 3)).isEqualTo(4);
  }

  @Test
  void a_client_is_given_64_kib_for_a_frame_that_it_only_announces() {
    int most = 64 * 1024;
    assertThat(unfinishedAfter(frame(4, most - HEADER), HEADER)).isEqualTo(most);
    end.arrive(new byte[most - HEADER]);
    assertThat(unfinishedAfter(frame(4, WireEnd.MAX_FRAME_BYTES), HEADER)).isEqualTo(most);
  }

  @Test
  void a_client_that_has_sent_more_is_given_what_it_has_sent() {
    assertThat(unfinishedAfter(frame(4, WireEnd.MAX_FRAME_BYTES), 100_000)).isEqualTo(100_000);
  }

  @Test
  void a_client_is_given_512_bytes_before_login() {
    end.framing.limitBeforeLogin(4_096);
    assertThat(unfinishedAfter(frame(4, 4_096), HEADER)).isEqualTo(512);
  }

  @Test
  void a_node_is_trusted_with_the_length_that_it_announces() {
    end = WireEnd.client();
    assertThat(unfinishedAfter(frame(4, WireEnd.MAX_FRAME_BYTES), HEADER))
        .isEqualTo(HEADER + WireEnd.MAX_FRAME_BYTES);
  }

  @Test
  void a_segment_in_parts_has_memory_of_its_own_size() {
    end = WireEnd.inSegments(Compression.NONE);
    byte[] frame = frame(5, 1_000);
    byte[] segment = WireEnd.segment(Compression.NONE, true, frame);
    assertThat(unfinishedAfter(segment, 2)).as("a header with its checksum").isEqualTo(6);
    end.arrive(Arrays.copyOfRange(segment, 2, 6));
    assertThat(end.framing.unfinishedBytes()).isZero();
    end.arrive(Arrays.copyOfRange(segment, 6, 7));
    assertThat(end.framing.unfinishedBytes())
        .as("the payload with its checksum")
        .isEqualTo(frame.length + 4);
    end.arrive(Arrays.copyOfRange(segment, 7, segment.length));
    assertThat(end.framing.unfinishedBytes()).isZero();
    assertThat(end.channel.inboundMessages()).hasSize(1);
  }

  @Test
  void both_a_frame_that_spans_segments_and_its_next_segment_count() {
    end = WireEnd.inSegments(Compression.NONE);
    byte[] part = Arrays.copyOf(frame(5, 1_000), 100);
    byte[] segment = WireEnd.segment(Compression.NONE, false, part);
    end.arrive(segment);
    assertThat(end.framing.unfinishedBytes()).as("it will grow").isEqualTo(200);
    end.arrive(Arrays.copyOf(segment, 2));
    assertThat(end.framing.unfinishedBytes()).isEqualTo(200 + 6);
  }

  /** Each would hold a whole read. */
  @Test
  void segments_of_one_byte_from_a_client_hold_no_reads() {
    end = WireEnd.inSegments(Compression.NONE);
    byte[] frame = frame(5, 30);
    for (int i = 0; i < frame.length - 1; i++) {
      end.arrive(WireEnd.segment(Compression.NONE, false, new byte[] {frame[i]}));
      assertThat(end.buffers.held()).isEqualTo(1);
    }
    end.arrive(WireEnd.segment(Compression.NONE, false, new byte[1]));
    assertThat(end.understood()).containsExactly(WireEnd.hex(WireEnd.frame(frame)));
    assertThat(end.buffers.held()).isZero();
  }

  @Test
  void segments_of_a_node_are_not_copied() {
    end = WireEnd.client().afterReady(Compression.NONE);
    byte[] frame = frame(5, 1_000);
    end.arrive(WireEnd.segment(Compression.NONE, false, Arrays.copyOf(frame, 600)));
    assertThat(end.framing.unfinishedBytes()).isEqualTo(600);
    end.arrive(WireEnd.segment(Compression.NONE, false, Arrays.copyOfRange(frame, 600, 1_009)));
    assertThat(end.buffers.held()).as("the two reads").isEqualTo(2);
    assertThat(end.understood()).containsExactly(WireEnd.hex(WireEnd.frame(frame)));
  }
}
