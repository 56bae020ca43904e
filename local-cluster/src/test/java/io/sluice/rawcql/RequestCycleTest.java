package io.sluice.rawcql;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class RequestCycleTest {
  private static final ByteBuf FIRST = request("aa");
  private static final ByteBuf SECOND = request("bbbb");

  private final List<String> writes = new ArrayList<>();
  private final RequestCycle cycle =
      new RequestCycle(
          List.of(FIRST, SECOND),
          new Batching() {
            @Override
            public void decode(ByteBuf arrived, Frames to) {}

            @Override
            public void write(ByteBuf frames, OutputStream out) {
              writes.add(ByteBufUtil.hexDump(frames));
            }
          },
          OutputStream.nullOutputStream());

  private static ByteBuf request(String body) {
    byte[] bytes = ByteBufUtil.decodeHexDump(body);
    return Unpooled.buffer()
        .writeByte(4)
        .writeByte(0)
        .writeShort(0)
        .writeByte(0x0a)
        .writeInt(bytes.length)
        .writeBytes(bytes);
  }

  @Test
  void requests_follow_in_turn_each_with_its_stream_in_one_write() throws IOException {
    cycle.add(5);
    cycle.add(0x7fff);
    cycle.add(6);
    cycle.flush();

    assertThat(writes)
        .containsExactly(
            "040000050a00000001aa" + "04007fff0a00000002bbbb" + "040000060a00000001aa");
  }

  @Test
  void a_further_write_has_the_further_requests_only() throws IOException {
    cycle.add(1);
    cycle.flush();
    cycle.add(2);
    cycle.flush();

    assertThat(writes).containsExactly("040000010a00000001aa", "040000020a00000002bbbb");
  }

  @Test
  void nothing_is_written_without_a_request() throws IOException {
    cycle.flush();

    assertThat(writes).isEmpty();
  }

  @Test
  void the_stream_of_a_frame_is_the_one_that_its_request_got() {
    ByteBuf frames = Unpooled.wrappedBuffer(FIRST.copy(), FIRST.copy().setShort(2, 300));

    assertThat(RequestCycle.stream(frames, FIRST.readableBytes())).isEqualTo(300);
  }
}
