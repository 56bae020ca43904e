package io.sluice.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.sluice.wire.RowsAnswer.RowCursor;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that rows are located, iterated and combined as bytes. */
class RowsAnswerTest {

  private static final String ALL_TYPES =
      "a ascii, b bigint, c blob, d boolean, e counter, f decimal, g double, h float, i int,"
          + " j timestamp, k uuid, l text, m varint, n timeuuid, o inet, p date, q time,"
          + " r smallint, s tinyint, t duration, u list<int>, v set<text>, w map<text;int>,"
          + " x tuple<int;text>, y udt<text>, z custom<float>, aa list<udt<map<int;inet>>>";

  private final CountedBuffers buffers = new CountedBuffers();

  @AfterEach
  void every_buffer_is_released() {
    assertThat(buffers.held()).isZero();
  }

  private static ByteBuffer text(String of) {
    return ByteBuffer.wrap(of.getBytes(StandardCharsets.UTF_8));
  }

  private RowsAnswer answer(TestRows rows) {
    return RowsAnswer.of(rows.frame(buffers));
  }

  private static String cell(RowCursor cursor, int column) {
    return cursor.length(column) < 0
        ? "null"
        : new String(cursor.cell(column), StandardCharsets.UTF_8);
  }

  @ParameterizedTest
  @ValueSource(ints = {3, 4, 5})
  void rows_of_columns_of_all_types_are_iterated_in_order(int version) {
    TestRows rows = new TestRows(ALL_TYPES).version(version);
    for (int r = 0; r < 3; r++) {
      List<ByteBuffer> cells = new ArrayList<>();
      for (int c = 0; c < 27; c++) {
        cells.add((r + c) % 5 == 0 ? null : text("x".repeat(c) + r));
      }
      rows.row(cells);
    }
    RowsAnswer answer = answer(rows);
    assertThat(answer.columns()).isEqualTo(27);
    assertThat(answer.rowCount()).isEqualTo(3);
    RowCursor cursor = answer.rows();
    for (int r = 0; r < 3; r++) {
      assertThat(cursor.next()).isTrue();
      assertThat(cursor.passed()).isEqualTo(r + 1);
      for (int c = 0; c < 27; c++) {
        assertThat(cell(cursor, c)).isEqualTo((r + c) % 5 == 0 ? "null" : "x".repeat(c) + r);
      }
    }
    assertThat(cursor.end()).isEqualTo(answer.rowsEnd());
    assertThat(cursor.next()).isFalse();
    answer.release();
  }

  @Test
  void the_parts_before_the_message_are_read() {
    UUID trace = new UUID(7, 8);
    RowsAnswer answer =
        answer(
            new TestRows("k int")
                .tracingId(trace)
                .warning("beware")
                .warning("of the dög")
                .payload("key", (byte) 1)
                .pagingState(text("there"))
                .row(text("1234")));
    assertThat(answer.tracingId()).isEqualTo(trace);
    assertThat(answer.warnings()).containsExactly("beware", "of the dög");
    assertThat(answer.hasMore()).isTrue();
    assertThat(answer.pagingState()).isEqualTo(text("there"));
    assertThat(answer.rowCount()).isEqualTo(1);
    answer.release();
  }

  /** As in production: a slice of a read buffer, and perhaps shared. */
  @Test
  void an_answer_may_lie_anywhere_in_memory() {
    ByteBuf read = buffers.directBuffer().writeBytes(new byte[100]);
    read.writeBytes(new TestRows("k blob").row(text("1")).bytes()).skipBytes(100);
    Frame slice = new Frame(read.readRetainedSlice(read.readableBytes()));
    read.release();
    RowsAnswer sliced = RowsAnswer.of(slice.share());
    RowsAnswer whole = answer(new TestRows("k blob").row(text("1")));

    assertThat(sliced.isOf(whole.metadata())).isTrue();
    RowCursor cursor = sliced.rows();
    assertThat(cursor.next()).isTrue();
    assertThat(cell(cursor, 0)).isEqualTo("1");
    sliced.release();
    slice.release();
    whole.release();
  }

  @Test
  void a_last_page_has_no_paging_state() {
    RowsAnswer answer = answer(new TestRows("k int"));
    assertThat(answer.hasMore()).isFalse();
    assertThat(answer.pagingState()).isNull();
    answer.release();
  }

  @Test
  void rows_without_metadata_are_iterated_by_their_number_of_columns() {
    RowsAnswer answer =
        answer(new TestRows("k int, v text").skipMetadata().row(text("1234"), null));
    RowCursor cursor = answer.rows();
    assertThat(cursor.next()).isTrue();
    assertThat(cell(cursor, 0)).isEqualTo("1234");
    assertThat(cell(cursor, 1)).isEqualTo("null");
    assertThat(answer.metadata().skipped()).isTrue();
    answer.release();
  }

  @Test
  void metadata_is_the_same_only_if_no_part_differs() {
    List<TestRows> different =
        List.of(
            new TestRows("k int, v text"),
            new TestRows("k int, v blob"),
            new TestRows("k int, w text"),
            new TestRows("k int"),
            new TestRows(TestColumns.of("u", "k int, v text")),
            new TestRows("k int, v text").skipMetadata());
    for (int i = 0; i < different.size(); i++) {
      RowsAnswer first = answer(different.get(i).pagingState(null));
      for (int j = 0; j < different.size(); j++) {
        RowsAnswer second = answer(different.get(j).pagingState(text("more")));
        assertThat(second.isOf(first.metadata())).as("%d and %d", i, j).isEqualTo(i == j);
        second.release();
      }
      first.release();
    }
  }

  @Test
  void the_id_of_changed_columns_is_no_difference() {
    RowsAnswer toQuery = answer(new TestRows("k int, v text").version(5));
    RowsAnswer toExecute = answer(new TestRows("k int, v text").version(5).metadataId((byte) 1));
    assertThat(toQuery.isOf(toExecute.metadata())).isTrue();
    assertThat(toExecute.isOf(toQuery.metadata())).isTrue();
    assertThat(toQuery.saysColumnsChanged()).isFalse();
    assertThat(toExecute.saysColumnsChanged()).isTrue();
    toQuery.release();
    toExecute.release();
  }

  @Test
  void any_other_frame_is_refused_and_stays_the_caller_s() {
    Frame ready = CqlCodec.ready(4);
    assertThatThrownBy(() -> RowsAnswer.of(ready)).isInstanceOf(ProtocolError.class);
    ready.release();
    Frame used = TestFrames.used(4, "ks");
    assertThatThrownBy(() -> RowsAnswer.of(used)).hasMessageContaining("not of kind Rows");
    used.release();
  }

  @Test
  void too_deeply_nested_types_are_refused() {
    ByteBuf body = Unpooled.buffer();
    body.writeZero(Frame.HEADER_LENGTH).writeInt(2).writeInt(1).writeInt(1);
    body.writeInt(0).writeShort(0);
    for (int i = 0; i < 1_000_000; i++) {
      body.writeShort(0x20);
    }
    Frame frame = Frame.response(body, 4, 0, Opcode.RESULT);
    assertThatThrownBy(() -> RowsAnswer.of(frame)).hasMessageContaining("nested");
    frame.release();
  }

  @Test
  void broken_answers_are_protocol_errors_and_nothing_is_read_outside_of_them() {
    long seed = Long.getLong("sluice.fuzz.seed", 1);
    Random random = new Random(seed);
    byte[][] sound = {
      new TestRows(ALL_TYPES).pagingState(text("p")).bytes(),
      new TestRows("k int, v text").row(text("1234"), text("v")).row(text("5678"), null).bytes(),
      new TestRows("k int").version(5).metadataId((byte) 1).warning("w").row(text("1234")).bytes(),
    };
    int refused = 0;
    for (int i = 0; i < 200_000; i++) {
      byte[] bent = sound[random.nextInt(sound.length)].clone();
      for (int n = 1 + random.nextInt(3); n > 0; n--) {
        int at = Frame.HEADER_LENGTH + random.nextInt(bent.length - Frame.HEADER_LENGTH);
        bent[at] = (byte) (random.nextBoolean() ? random.nextInt() : bent[at] ^ (1 << n));
      }
      int length = random.nextInt(8) == 0 ? random.nextInt(9, bent.length) : bent.length;
      // Bytes after the body must not be read. If they were, the lengths would seem valid.
      ByteBuf memory = Unpooled.wrappedBuffer(bent, new byte[64]).setIndex(0, length);
      Frame frame = new Frame(memory);
      Throwable thrown = catchThrowable(() -> walk(frame));
      if (thrown != null) {
        assertThat(thrown).as("seed %d round %d", seed, i).isInstanceOf(ProtocolError.class);
        refused++;
      }
    }
    assertThat(refused).isBetween(20_000, 180_000);
  }

  private static void walk(Frame frame) {
    RowsAnswer answer = RowsAnswer.of(frame);
    answer.pagingState();
    answer.metadata();
    RowCursor cursor = answer.rows();
    while (cursor.next()) {
      assertThat(cursor.end()).isLessThanOrEqualTo(answer.rowsEnd());
      cursor.cell(answer.columns() - 1);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {3, 4, 5})
  void a_page_of_cut_answers_reads_like_the_answer_of_one_node(int version) {
    for (int size : new int[] {3, 3000}) {
      RowsAnswer first = answer(loaded(version, size, "a", "w1").tracingId(new UUID(1, 1)));
      RowsAnswer second = answer(loaded(version, size, "b", "w1", "w2").tracingId(new UUID(2, 2)));
      RowsPage page = new RowsPage();
      page.note(first);
      page.note(second);
      RowCursor cursor = first.rows();
      cursor.next();
      page.add(first, cursor.end(), first.rowsEnd(), first.rowCount() - 1);
      cursor = second.rows();
      cursor.next();
      cursor.next();
      page.add(second, second.rowsBegin(), cursor.end(), 2);
      ResultMetadata metadata = first.metadata();
      first.release();
      second.release();
      Frame frame = page.toFrame(version, metadata, text("go on"), buffers);
      TestRows.Read read = TestRows.read(frame);
      assertThat(frame.bodyLength()).isEqualTo(frame.length() - Frame.HEADER_LENGTH);
      assertThat(read.version()).isEqualTo(version);
      assertThat(read.columns()).containsExactly("system.t.k 9", "system.t.v 13");
      assertThat(read.cells())
          .extracting(row -> new String(row.get(0).array(), 0, 2, StandardCharsets.UTF_8))
          .containsExactly("a1", "a2", "b0", "b1");
      assertThat(read.cells()).allMatch(row -> row.get(0).remaining() == size + 2);
      assertThat(read.pagingState()).isEqualTo(text("go on"));
      assertThat(read.tracingId()).isEqualTo(new UUID(1, 1));
      if (version > 3) {
        assertThat(read.warnings()).containsExactly("w1", "w2");
      }
      frame.release();
    }
  }

  @Test
  void a_page_has_the_first_warnings_of_many_answers_and_tells_how_many_were_left_out() {
    RowsPage page = new RowsPage();
    for (int i = 0; i < 300; i++) {
      RowsAnswer answer = answer(loaded(4, 3, "a", "the same", "w" + i));
      page.note(answer);
      answer.release();
    }
    page.warn("the proxy's own");
    Frame frame = page.toFrame(4, metadata(), null, buffers);
    List<String> warnings = TestRows.read(frame).warnings();
    assertThat(warnings.subList(0, 3)).containsExactly("the same", "w0", "w1");
    assertThat(warnings).hasSize(258);
    assertThat(warnings.subList(255, 258))
        .containsExactly("w254", "the proxy's own", "The nodes have sent 45 more warnings");
    frame.release();
  }

  private ResultMetadata metadata() {
    RowsAnswer answer = answer(new TestRows("k int"));
    ResultMetadata metadata = answer.metadata();
    answer.release();
    return metadata;
  }

  private static TestRows loaded(int version, int size, String name, String... warnings) {
    TestRows rows = new TestRows("k int, v text").version(version);
    for (int i = 0; version > 3 && i < warnings.length; i++) {
      rows.warning(warnings[i]);
    }
    for (int i = 0; i < 3; i++) {
      rows.row(text(name + i + "x".repeat(size)), null);
    }
    return rows;
  }

  @Test
  void a_page_keeps_payload_and_metadata_id_and_says_when_it_is_the_last() {
    RowsAnswer answer =
        answer(
            new TestRows("k int")
                .version(5)
                .metadataId((byte) 4, (byte) 2)
                .payload("p", (byte) 9)
                .pagingState(text("node's own"))
                .row(text("1234")));
    RowsPage page = new RowsPage();
    page.note(answer);
    page.add(answer, answer.rowsBegin(), answer.rowsEnd(), 1);
    Frame frame = page.toFrame(5, answer.metadata(), null, buffers);
    answer.release();
    TestRows.Read read = TestRows.read(frame);
    assertThat(read.pagingState()).isNull();
    assertThat(read.metadataId()).containsExactly(4, 2);
    assertThat(read.payload()).containsEntry("p", ByteBuffer.wrap(new byte[] {9}));
    assertThat(read.cells()).containsExactly(List.of(text("1234")));
    frame.release();
  }

  @Test
  void a_discarded_page_releases_its_rows() {
    RowsAnswer answer = answer(new TestRows("k int").row(text("1234")));
    RowsPage page = new RowsPage();
    page.add(answer, answer.rowsBegin(), answer.rowsEnd(), 1);
    answer.release();
    assertThat(buffers.held()).isOne();
    page.release();
  }
}
