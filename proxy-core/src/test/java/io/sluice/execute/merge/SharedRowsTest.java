package io.sluice.execute.merge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.UnpooledByteBufAllocator;
import io.sluice.decide.plan.MergeRule;
import io.sluice.decide.share.ShareRule.Scan;
import io.sluice.ring.TestPartitioner;
import io.sluice.ring.Token;
import io.sluice.ring.TokenRange;
import io.sluice.wire.CountedBuffers;
import io.sluice.wire.CqlCodec;
import io.sluice.wire.ErrorCode;
import io.sluice.wire.Frame;
import io.sluice.wire.TestFrames;
import io.sluice.wire.TestRows;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Tests that several reads share one answer, and that each gets the rows that a node would have
 * returned for it.
 */
class SharedRowsTest {

  private static final CountedBuffers BUFFERS = new CountedBuffers();

  private static final Pattern TOKEN = Pattern.compile("k(-?[0-9]+)");

  /** The key of a {@link ModelTable} says where it is. */
  private static final TestPartitioner KEYS_SAY_THEIR_TOKEN =
      new TestPartitioner(
          key -> {
            Matcher token = TOKEN.matcher(StandardCharsets.UTF_8.decode(key.duplicate()));
            assertThat(token.find()).isTrue();
            return Long.parseLong(token.group(1));
          });

  private static TokenRange range(long after, long upTo) {
    return new TokenRange(
        after < -110 ? null : new Token.Murmur3(after),
        upTo > 110 ? null : new Token.Murmur3(upTo));
  }

  private static @Nullable SharedRows share(Frame answer, ModelTable table) {
    return Merger.share(
        answer,
        new MergeRule.Concatenate(table.rowKey(), table.distinct()),
        KEYS_SAY_THEIR_TOKEN,
        BUFFERS);
  }

  @Test
  void each_read_gets_the_rows_that_it_would_get_alone() {
    int known = 0;
    int told = 0;
    for (long seed = 1; seed <= 500; seed++) {
      Random random = new Random(seed);
      ModelTable table = new ModelTable(random);
      if (table.perPartitionLimit() >= 0) {
        continue;
      }
      long begin = random.nextLong(-130, 100);
      long end = random.nextLong(begin + 1, 140);
      Frame answer = table.answer(range(begin, end), null, 1 + random.nextInt(60), -1, BUFFERS);
      List<Scan> scans = new ArrayList<>();
      for (int n = random.nextInt(5); n >= 0; n--) {
        long from = random.nextLong(begin, end);
        scans.add(
            new Scan(range(from, random.nextLong(from + 1, end + 1)), 1 + random.nextInt(30)));
      }
      SharedRows shares = share(answer, table);
      assertThat(shares).isNotNull();
      for (int i = 0; i < scans.size(); i++) {
        known++;
        Frame frame = shares.share(scans.get(i), new Scan(TokenRange.ALL, 60));
        if (frame != null) {
          told++;
          isWhatANodeSays(table, scans.get(i), frame, "seed " + seed + ", scan " + i);
          endsEarlyOnlyWithTheAnswer(table, scans.get(i), frame, answer);
          frame.release();
        } else {
          assertThat(endsBefore(answer, scans.get(i).range())).as("seed %d", seed).isTrue();
        }
      }
      answer.release();
      assertThat(BUFFERS.held()).as("seed %d: buffers held", seed).isZero();
    }
    assertThat(told).isGreaterThan(known / 2);
  }

  /** Checks the rows, and those that a node returns from the paging state on. */
  private static void isWhatANodeSays(ModelTable table, Scan scan, Frame frame, String which) {
    TestRows.Read own = TestRows.read(frame);
    Frame direct =
        table.answer(scan.range(), null, scan.rows(), -1, UnpooledByteBufAllocator.DEFAULT);
    TestRows.Read asked = TestRows.read(direct);
    int rows = own.cells().size();
    assertThat(own.columns()).as(which).isEqualTo(asked.columns());
    assertThat(own.cells()).as(which).isEqualTo(asked.cells().subList(0, rows));
    List<List<ByteBuffer>> all = new ArrayList<>(own.cells());
    if (own.pagingState() != null) {
      Frame rest =
          table.answer(
              scan.range(), own.pagingState(), 10_000, -1, UnpooledByteBufAllocator.DEFAULT);
      all.addAll(TestRows.read(rest).cells());
      rest.release();
    }
    Frame whole = table.answer(scan.range(), null, 10_000, -1, UnpooledByteBufAllocator.DEFAULT);
    assertThat(all).as(which).isEqualTo(TestRows.read(whole).cells());
    direct.release();
    whole.release();
  }

  private static void endsEarlyOnlyWithTheAnswer(
      ModelTable table, Scan scan, Frame frame, Frame answer) {
    List<List<ByteBuffer>> own = TestRows.read(frame).cells();
    List<List<ByteBuffer>> read = TestRows.read(answer).cells();
    Frame direct =
        table.answer(scan.range(), null, scan.rows(), -1, UnpooledByteBufAllocator.DEFAULT);
    if (own.size() < TestRows.read(direct).cells().size()) {
      assertThat(own.get(own.size() - 1)).isEqualTo(read.get(read.size() - 1));
    }
    direct.release();
  }

  /** Whether the answer has more rows than it shows, and nothing after the range. */
  private static boolean endsBefore(Frame answer, TokenRange range) {
    TestRows.Read read = TestRows.read(answer);
    List<List<ByteBuffer>> rows = read.cells();
    Token last = KEYS_SAY_THEIR_TOKEN.hash(rows.get(rows.size() - 1).get(1));
    return read.pagingState() != null
        && range.after() != null
        && last.compareTo(range.after()) <= 0;
  }

  private static final ModelTable TEN_ROWS = tenRows();

  /** Returns a table of one column, its key, with at least ten rows. */
  private static ModelTable tenRows() {
    for (long seed = 1; ; seed++) {
      ModelTable table = new ModelTable(new Random(seed));
      if (table.perPartitionLimit() < 0 && table.all(-1).size() >= 10) {
        return table;
      }
    }
  }

  private static final Scan TEN = new Scan(TokenRange.ALL, 10);

  private static Frame whole(int rows) {
    return TEN_ROWS.answer(TokenRange.ALL, null, rows, -1, BUFFERS);
  }

  @Test
  void rows_are_counted_for_each_read_and_unused_rows_are_counted() {
    Frame answer = whole(10);
    SharedRows shares = share(answer, TEN_ROWS);
    assertThat(shares).isNotNull();
    List<Frame> given = new ArrayList<>();
    given.add(shares.share(new Scan(TokenRange.ALL, 4), TEN));
    given.add(shares.share(new Scan(TokenRange.ALL, 6), TEN));
    assertThat(shares.given()).isEqualTo(10);
    assertThat(shares.unused()).isEqualTo(4);
    given.forEach(Frame::release);
    answer.release();
  }

  @Test
  void a_small_share_does_not_hold_the_whole_answer() {
    Frame answer = whole(10);
    SharedRows shares = share(answer, TEN_ROWS);
    assertThat(shares).isNotNull();
    Frame small = shares.share(new Scan(TokenRange.ALL, 1), TEN);
    Frame large = shares.share(new Scan(TokenRange.ALL, 9), TEN);
    assertThat(small).isNotNull();
    assertThat(large).isNotNull();
    large.release();
    answer.release();
    assertThat(TestFrames.isReleased(answer)).isTrue();
    small.release();
    assertThat(BUFFERS.held()).isZero();
  }

  @Test
  void a_response_without_rows_is_not_shared() {
    Frame answer = CqlCodec.error(4, ErrorCode.SERVER_ERROR, "says no");
    assertThat(share(answer, TEN_ROWS)).isNull();
    answer.release();
  }

  @Test
  void rows_that_do_not_show_their_key_cannot_be_shared() {
    Frame answer = whole(10);
    assertThatThrownBy(
            () ->
                Merger.share(
                    answer, new MergeRule.Concatenate(null, false), KEYS_SAY_THEIR_TOKEN, BUFFERS))
        .isInstanceOf(IllegalArgumentException.class);
    answer.release();
  }
}
