package io.sluice.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** Tests of columns that a v5 client is told as changed: flags, count, id and specifications. */
class ResultMetadataTest {

  private static final byte[] ID = {7, 8};

  private static ResultMetadata columns(String columns) {
    RowsAnswer answer = RowsAnswer.of(new TestRows(columns).version(5).frame());
    try {
      return answer.metadata();
    } finally {
      answer.release();
    }
  }

  private static byte[] written(ResultMetadata metadata) {
    ByteBuf out = Unpooled.buffer();
    metadata.write(out, null);
    return ByteBufUtil.getBytes(out);
  }

  /** Returns the metadata of a statement whose result has these columns. */
  private static StatementMetadata told(String columns) {
    byte[] bytes = written(columns(columns));
    ByteBuf specs = Unpooled.wrappedBuffer(bytes, 8, bytes.length - 8);
    return new StatementMetadata(
        ByteBuffer.allocate(0),
        columns(columns).columns(),
        StatementMetadata.digest(specs),
        ByteBuffer.wrap(ID));
  }

  @Test
  void the_latest_columns_are_told_with_their_id() {
    ResultMetadata metadata = columns("k int, v text");
    ByteBuf changed = Unpooled.wrappedBuffer(written(metadata.changedTo(told("k int, v text"))));
    assertThat(changed.readInt() & ResultMetadata.METADATA_CHANGED).isNotZero();
    assertThat(changed.readInt()).isEqualTo(2);
    assertThat(changed.readUnsignedShort()).isEqualTo(ID.length);
    assertThat(ByteBufUtil.getBytes(changed.readSlice(ID.length))).isEqualTo(ID);
    byte[] plain = written(metadata);
    assertThat(ByteBufUtil.getBytes(changed))
        .as("specifications")
        .isEqualTo(Arrays.copyOfRange(plain, 8, plain.length));
  }

  @Test
  void other_columns_than_the_latest_are_told_without_an_id() {
    ResultMetadata metadata = columns("k int, v text");
    for (String other : new String[] {"k int", "k int, w text", "k int, v int"}) {
      assertThat(written(metadata.changedTo(told(other)))).isEqualTo(written(metadata));
    }
  }
}
