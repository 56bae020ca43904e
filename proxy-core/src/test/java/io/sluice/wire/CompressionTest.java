package io.sluice.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.datastax.oss.protocol.internal.Compressor;
import com.datastax.oss.protocol.internal.ProtocolConstants;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import java.lang.reflect.Field;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of {@link Compression} with {@link Lz4} and {@link Snappy}, and {@link ColumnType}. */
class CompressionTest {

  private final CountedBuffers buffers = new CountedBuffers();

  @AfterEach
  void no_buffer_is_held() {
    assertThat(buffers.held()).isZero();
  }

  private static byte[] content(int length) {
    byte[] content = new byte[length];
    new Random(length).nextBytes(content);
    return content;
  }

  @ParameterizedTest
  @CsvSource({
    ", 4, NONE",
    "'', 5, NONE",
    "lz4, 3, LZ4",
    "LZ4, 5, LZ4",
    "Snappy, 3, SNAPPY",
    "snappy, 4, SNAPPY",
    "snappy, 5,",
    "zstd, 4,",
    "none, 4,",
    "lz4 , 4, LZ4",
    "'lz4 ', 4,"
  })
  void a_client_gets_the_algorithm_that_its_version_knows(
      @Nullable String algorithm, int version, @Nullable Compression agreed) {
    assertThat(Compression.named(algorithm, version)).isEqualTo(agreed);
  }

  @ParameterizedTest
  @EnumSource(
      value = Compression.class,
      names = {"LZ4", "SNAPPY"})
  void a_body_comes_back_from_any_kind_of_memory(Compression compression) {
    Compressor<ByteBuf> compressor = compression.compressor();
    assertThat(compressor.algorithm()).isEqualTo(compression.algorithm());
    for (int length : new int[] {0, 1, 100, 70_000}) {
      byte[] content = content(length);
      ByteBuf direct = buffers.directBuffer().writeBytes(content);
      ByteBuf heap = buffers.heapBuffer().writeBytes(content);
      ByteBuf parts =
          buffers
              .compositeBuffer()
              .addComponent(true, buffers.directBuffer().writeBytes(content, 0, length / 2))
              .addComponent(
                  true,
                  buffers.directBuffer().writeBytes(content, length / 2, length - length / 2));
      for (ByteBuf plain : new ByteBuf[] {direct, heap, parts}) {
        ByteBuf small = compressor.compress(plain);
        assertThat(compression.announcedLength(small)).isEqualTo(length);
        ByteBuf back = compressor.decompress(small);
        assertThat(ByteBufUtil.getBytes(back)).isEqualTo(content);
        small.release();
        back.release();
        plain.release();
      }
    }
  }

  @Test
  void without_compression_a_body_announces_itself() {
    ByteBuf body = buffers.directBuffer().writeBytes(content(77));
    assertThat(Compression.NONE.announcedLength(body)).isEqualTo(77);
    body.release();
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 99, 101, 5_000})
  void a_segment_of_another_length_than_announced_is_refused(int announced) {
    Compressor<ByteBuf> lz4 = Compression.LZ4.compressor();
    ByteBuf plain = buffers.directBuffer().writeBytes(content(100));
    ByteBuf small = lz4.compressWithoutLength(plain);
    plain.release();
    assertThatThrownBy(() -> lz4.decompressWithoutLength(small, announced))
        .isInstanceOf(RuntimeException.class);
    assertThat(small.refCnt()).as("released, as the vendor's codec does not").isZero();
  }

  @Test
  void a_segment_of_the_announced_length_is_the_caller_s() {
    Compressor<ByteBuf> lz4 = Compression.LZ4.compressor();
    ByteBuf plain = buffers.directBuffer().writeBytes(content(100));
    ByteBuf small = lz4.compressWithoutLength(plain);
    ByteBuf back = lz4.decompressWithoutLength(small, 100);
    assertThat(back).isEqualTo(plain);
    plain.release();
    small.release();
    back.release();
  }

  @Test
  void broken_blocks_are_refused_and_keep_no_memory() {
    for (Compression each : new Compression[] {Compression.LZ4, Compression.SNAPPY}) {
      Compressor<ByteBuf> compressor = each.compressor();
      ByteBuf plain = buffers.directBuffer().writeBytes(content(100));
      ByteBuf small = compressor.compress(plain);
      small.writerIndex(small.writerIndex() - 5);
      assertThatThrownBy(() -> compressor.decompress(small)).isInstanceOf(RuntimeException.class);
      plain.release();
      small.release();
    }
  }

  @Test
  void segments_are_not_compressed_with_snappy() {
    ByteBuf body = buffers.directBuffer().writeBytes(content(10));
    Compressor<ByteBuf> snappy = Compression.SNAPPY.compressor();
    assertThatThrownBy(() -> snappy.compressWithoutLength(body))
        .isInstanceOf(UnsupportedOperationException.class);
    assertThatThrownBy(() -> snappy.decompressWithoutLength(body, 10))
        .isInstanceOf(UnsupportedOperationException.class);
    body.release();
  }

  @Test
  void an_empty_snappy_block_announces_nothing_that_could_be_read() {
    ByteBuf nothing = buffers.directBuffer();
    assertThatThrownBy(() -> Compression.SNAPPY.announcedLength(nothing))
        .isInstanceOf(RuntimeException.class);
    nothing.release();
  }

  /** The types whose names the proxy writes into the statements of its own tables. */
  @Test
  void a_type_of_one_value_has_its_name_in_cql() throws Exception {
    Map<String, String> names = new LinkedHashMap<>();
    for (Field each : ColumnType.class.getFields()) {
      ColumnType type = (ColumnType) each.get(null);
      names.put(each.getName(), type.cqlName());
      assertThat(type.elementId()).isEqualTo(-1);
      assertThat(type.list().elementId()).isEqualTo(type.id());
      assertThat(type.list().id()).isEqualTo(ProtocolConstants.DataType.LIST);
      assertThat(type.list().cqlName()).isNull();
    }
    assertThat(names)
        .containsEntry("VARCHAR", "text")
        .containsEntry("BIGINT", "bigint")
        .containsEntry("INT", "int")
        .containsEntry("BLOB", "blob")
        .containsEntry("BOOLEAN", "boolean")
        .containsEntry("DOUBLE", "double")
        .containsEntry("INET", "inet")
        .containsEntry("TIMESTAMP", "timestamp")
        .containsEntry("UUID", "uuid")
        .hasSize(9);
  }
}
