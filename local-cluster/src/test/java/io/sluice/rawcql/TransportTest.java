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

class TransportTest {
  private static final String REQUEST = "050000010500000000";
  private static final String ANSWER = "850000010800000004" + "deadbeef";

  private final ByteArrayOutputStream sent = new ByteArrayOutputStream();

  @Test
  void a_plain_frame_is_sent_as_it_is_and_answered_by_one_frame() throws IOException {
    PlainTransport plain = new PlainTransport(from(bytes(ANSWER + "ffff")), sent);

    assertThat(ByteBufUtil.hexDump(plain.exchange(buffer(REQUEST)))).isEqualTo(ANSWER);
    assertThat(ByteBufUtil.hexDump(sent.toByteArray())).isEqualTo(REQUEST);
  }

  @Test
  void the_opcode_of_an_answer_is_read_without_decoding_it() throws IOException {
    PlainTransport plain = new PlainTransport(from(bytes(ANSWER)), sent);

    assertThat(PlainTransport.opcode(plain.exchange(buffer(REQUEST)))).isEqualTo(8);
  }

  @Test
  void a_frame_is_assembled_from_many_segments() throws IOException {
    byte[] first = segment("85000001", false);
    byte[] second = segment("0800000004de", false);
    byte[] third = segment("adbeef", false);
    SegmentTransport segments = new SegmentTransport(from(first, second, third), sent);

    assertThat(ByteBufUtil.hexDump(segments.exchange(buffer(REQUEST)))).isEqualTo(ANSWER);
    assertThat(sent.toByteArray()).isEqualTo(segment(REQUEST, true));
  }

  @Test
  void a_wrong_checksum_is_an_error() throws IOException {
    byte[] segment = segment(ANSWER, true);
    segment[segment.length - 1] ^= 1;
    SegmentTransport segments = new SegmentTransport(from(segment), sent);

    assertThatThrownBy(() -> segments.exchange(buffer(REQUEST)))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("checksum");
  }

  @Test
  void a_closed_connection_is_an_error() {
    assertThatThrownBy(() -> new PlainTransport(from(), sent).exchange(buffer(REQUEST)))
        .hasMessageContaining("closed");
    assertThatThrownBy(() -> new SegmentTransport(from(), sent).exchange(buffer(REQUEST)))
        .hasMessageContaining("closed");
  }

  private static byte[] segment(String payload, boolean selfContained) {
    List<Object> parts = new ArrayList<>();
    new SegmentCodec<>(new HeapCodec(), Compressor.none())
        .encode(new Segment<>(buffer(payload), selfContained), parts);
    ByteBuf all = Unpooled.buffer();
    parts.forEach(part -> all.writeBytes((ByteBuf) part));
    return ByteBufUtil.getBytes(all);
  }

  private static ByteArrayInputStream from(byte[]... parts) {
    ByteBuf all = Unpooled.buffer();
    for (byte[] part : parts) {
      all.writeBytes(part);
    }
    return new ByteArrayInputStream(ByteBufUtil.getBytes(all));
  }

  private static byte[] bytes(String hex) {
    return ByteBufUtil.decodeHexDump(hex);
  }

  private static ByteBuf buffer(String hex) {
    return Unpooled.wrappedBuffer(bytes(hex));
  }
}
