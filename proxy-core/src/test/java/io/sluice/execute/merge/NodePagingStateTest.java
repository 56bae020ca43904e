package io.sluice.execute.merge;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.decide.plan.MergeRule.RowKey;
import io.sluice.wire.RowsAnswer;
import io.sluice.wire.RowsAnswer.RowCursor;
import io.sluice.wire.TestRows;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.cassandra.db.Clustering;
import org.apache.cassandra.db.marshal.AbstractType;
import org.apache.cassandra.db.marshal.BytesType;
import org.apache.cassandra.db.marshal.CompositeType;
import org.apache.cassandra.service.pager.PagingState;
import org.apache.cassandra.transport.ProtocolVersion;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests that the paging state of a row equals the one that Cassandra's own class writes and reads.
 */
class NodePagingStateTest {

  /**
   * The version of the messaging service in which Cassandra writes the clustering of a paging
   * state: 3.0.
   */
  private static final int VERSION_30 = 12;

  private static @Nullable ByteBuffer bytes(@Nullable String text) {
    return text == null ? null : ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
  }

  /** Returns a cursor at the only row, which has these cells. */
  private static RowCursor row(@Nullable String... cells) {
    String columns =
        IntStream.range(0, cells.length)
            .mapToObj(i -> "c" + i + " blob")
            .collect(Collectors.joining(", "));
    List<@Nullable ByteBuffer> values = new ArrayList<>();
    for (String cell : cells) {
      values.add(bytes(cell));
    }
    TestRows rows = new TestRows(columns).row(values);
    RowCursor cursor = RowsAnswer.of(rows.frame()).rows();
    assertThat(cursor.next()).isTrue();
    return cursor;
  }

  private static PagingState readByCassandra(NodePagingState state) {
    PagingState v4 = PagingState.deserialize(state.bytes(), ProtocolVersion.V4);
    PagingState v5 = PagingState.deserialize(state.bytes(), ProtocolVersion.V5);
    assertThat(v5).isNotNull();
    assertThat(v5.partitionKey).isEqualTo(v4.partitionKey);
    assertThat(v4.serialize(ProtocolVersion.V4)).isEqualTo(state.bytes());
    return v4;
  }

  private static ByteBuffer mark(@Nullable String... clustering) {
    ByteBuffer[] values = new ByteBuffer[clustering.length];
    List<AbstractType<?>> types = new ArrayList<>();
    for (int i = 0; i < values.length; i++) {
      values[i] = bytes(clustering[i]);
      types.add(BytesType.instance);
    }
    return Clustering.serializer.serialize(Clustering.make(values), VERSION_30, types);
  }

  private static ByteBuffer composite(String... components) {
    ByteBuffer[] values = new ByteBuffer[components.length];
    for (int i = 0; i < values.length; i++) {
      values[i] = bytes(components[i]);
    }
    return CompositeType.build(org.apache.cassandra.db.marshal.ByteBufferAccessor.instance, values);
  }

  /** Returns the paging state that Cassandra would write. */
  private static ByteBuffer byCassandra(
      ByteBuffer key, ByteBuffer mark, int remaining, int inPartition) {
    ByteBuffer out = ByteBuffer.allocate(key.remaining() + mark.remaining() + 40);
    org.apache.cassandra.utils.vint.VIntCoding.writeUnsignedVInt32(key.remaining(), out);
    out.put(key.duplicate());
    org.apache.cassandra.utils.vint.VIntCoding.writeUnsignedVInt32(mark.remaining(), out);
    out.put(mark.duplicate());
    org.apache.cassandra.utils.vint.VIntCoding.writeUnsignedVInt32(remaining, out);
    org.apache.cassandra.utils.vint.VIntCoding.writeUnsignedVInt32(inPartition, out);
    return out.flip();
  }

  @Test
  void without_clustering_columns_a_row_ends_its_partition() {
    RowKey key = new RowKey(List.of(1), List.of());
    NodePagingState state = NodePagingState.behind(row("v", "k"), key, 70, 5);
    PagingState read = readByCassandra(state);
    assertThat(read.partitionKey).isEqualTo(bytes("k"));
    assertThat(read.rowMark).isNull();
    assertThat(read.remaining).isEqualTo(70);
    assertThat(read.remainingInPartition).isZero();
  }

  @Test
  void clustering_values_are_written_as_by_cassandra() {
    Random random = new Random(3);
    for (int round = 0; round < 2000; round++) {
      int columns = 1 + random.nextInt(round % 10 == 0 ? 70 : 4);
      String[] cells = new String[columns + 1];
      List<Integer> clustering = new ArrayList<>();
      cells[0] = "key";
      for (int i = 1; i <= columns; i++) {
        cells[i] = "x".repeat(random.nextInt(4) == 0 ? 300 : random.nextInt(3));
        if (i > 1 && random.nextInt(8) == 0) {
          cells[i] = null;
        }
        clustering.add(i);
      }
      int left = random.nextInt() >>> random.nextInt(1, 31);
      int inPartition = random.nextBoolean() ? NodePagingState.UNLIMITED : random.nextInt(5);
      NodePagingState state =
          NodePagingState.behind(row(cells), new RowKey(List.of(0), clustering), left, inPartition);
      ByteBuffer mark = mark(java.util.Arrays.copyOfRange(cells, 1, cells.length));
      assertThat(state.bytes()).isEqualTo(byCassandra(bytes("key"), mark, left, inPartition));
      readByCassandra(state);
    }
  }

  @Test
  void a_composite_key_has_the_order_of_the_primary_key() {
    NodePagingState state =
        NodePagingState.behind(
            row("second", "c", "first", ""), new RowKey(List.of(2, 0, 3), List.of(1)), 1, 1);
    assertThat(readByCassandra(state).partitionKey).isEqualTo(composite("first", "second", ""));
    assertThat(state.bytes())
        .isEqualTo(byCassandra(composite("first", "second", ""), mark("c"), 1, 1));
  }

  @Test
  void a_row_of_static_columns_only_ends_its_partition() {
    NodePagingState state =
        NodePagingState.behind(
            row("k", null, null, "static"), new RowKey(List.of(0), List.of(1, 2)), 9, 4);
    PagingState read = readByCassandra(state);
    assertThat(read.partitionKey).isEqualTo(bytes("k"));
    assertThat(read.rowMark).isNull();
    assertThat(read.remainingInPartition).isZero();
  }

  @ParameterizedTest
  @ValueSource(
      ints = {0, 1, 127, 128, 16383, 16384, 2097151, 2097152, 268435456, Integer.MAX_VALUE})
  void numbers_of_all_lengths_are_read_back(int number) {
    NodePagingState state = new NodePagingState(new byte[3], new byte[2], number, number);
    assertThat(readByCassandra(state).remaining).isEqualTo(number);
    NodePagingState again = NodePagingState.read(state.bytes());
    assertThat(again).isNotNull();
    assertThat(again.bytes()).isEqualTo(state.bytes());
    assertThat(again.remainingInPartition()).isEqualTo(number);
  }

  @Test
  void invalid_bytes_are_not_read_as_a_paging_state() {
    Random random = new Random(5);
    ByteBuffer sound = new NodePagingState(new byte[9], new byte[2], 5, 6).bytes();
    for (int i = 0; i < sound.limit(); i++) {
      assertThat(NodePagingState.read(sound.duplicate().limit(i))).isNull();
    }
    for (int i = 0; i < 100_000; i++) {
      byte[] noise = new byte[random.nextInt(12)];
      random.nextBytes(noise);
      NodePagingState read = NodePagingState.read(ByteBuffer.wrap(noise));
      if (read != null) {
        assertThat(read.partitionKey().length).isLessThan(12);
      }
    }
  }
}
