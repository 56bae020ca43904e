package io.sluice.execute.merge;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.decide.plan.MergeRule;
import io.sluice.decide.plan.ResumePoint;
import io.sluice.execute.merge.Merger.MergeOrder;
import io.sluice.execute.merge.Merger.Step;
import io.sluice.ring.Token;
import io.sluice.ring.TokenRange;
import io.sluice.wire.CountedBuffers;
import io.sluice.wire.Frame;
import io.sluice.wire.TestRows;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Tests random tables, cuts, waves and orders of answers. All pages together equal the answer of
 * one node. Each page is full while rows remain, and continues from the paging state of the
 * previous one. {@code sluice.merge.seed} and {@code sluice.merge.rounds} choose the cases.
 */
class MergerPropertyTest {

  private static final CountedBuffers BUFFERS = new CountedBuffers();
  private static final StatementDigest DIGEST = new StatementDigest(42, 43);

  @Test
  void all_pages_equal_the_answer_of_one_node() {
    long first = Long.getLong("sluice.merge.seed", 1);
    for (long seed = first; seed < first + Integer.getInteger("sluice.merge.rounds", 500); seed++) {
      try {
        new Read(new Random(seed)).play();
        assertThat(BUFFERS.held()).as("buffers held").isZero();
      } catch (RuntimeException | AssertionError e) {
        throw new AssertionError("-Dsluice.merge.seed=" + seed, e);
      }
    }
  }

  /** A sub-request in flight. */
  private record Asked(int piece, @Nullable ByteBuffer nodeState, int rows) {}

  /** A read, page by page. */
  private static final class Read {
    private final Random random;
    private final ModelTable table;
    private final int fetchSize;
    private final int limit;
    private final boolean inOrder;
    private final List<List<@Nullable ByteBuffer>> expected;
    private final List<List<@Nullable ByteBuffer>> got = new ArrayList<>();
    private final List<Asked> asked = new ArrayList<>();

    private List<TokenRange> ranges = List.of();
    private int named;

    /** The pieces as the merger numbers them, and those of which nothing was answered yet. */
    private final List<TokenRange> byNumber = new ArrayList<>();

    private final Set<Integer> untouched = new HashSet<>();
    private int limitInText;

    Read(Random random) {
      this.random = random;
      table = new ModelTable(random);
      fetchSize = random.nextInt(5) == 0 ? 0 : 1 + random.nextInt(random.nextBoolean() ? 5 : 40);
      limit = random.nextInt(3) == 0 ? 1 + random.nextInt(60) : -1;
      inOrder = random.nextInt(5) == 0;
      expected = table.all(limit);
    }

    private MergeOrder order(@Nullable ResumePoint resume) {
      return new MergeOrder(
          new MergeRule.Concatenate(inOrder ? null : table.rowKey(), table.distinct()),
          4,
          fetchSize,
          limit,
          table.perPartitionLimit(),
          resume,
          DIGEST,
          random.nextInt(5000),
          null,
          null);
    }

    /** Cuts the rest of the ring again for each page, as after a change of topology. */
    private void cut(@Nullable ResumePoint resume) {
      TreeSet<Long> cuts = new TreeSet<>();
      Token after = resume == null ? null : resume.after();
      List<TokenRange> all = new ArrayList<>();
      if (resume != null && resume.piece() != null) {
        all.add(resume.piece());
        after = resume.piece().upTo();
      }
      boolean toTheEnd = after == null && !all.isEmpty();
      long from = after == null ? -200 : ((Token.Murmur3) after).value();
      for (int n = random.nextInt(12); n > 0; n--) {
        long cut = random.nextLong(-110, 110);
        if (cut > from) {
          cuts.add(cut);
        }
      }
      for (long cut : cuts) {
        all.add(new TokenRange(after, new Token.Murmur3(cut)));
        after = new Token.Murmur3(cut);
      }
      if (!toTheEnd) {
        all.add(new TokenRange(after, null));
      }
      ranges = toTheEnd ? all.subList(0, 1) : all;
      named = 0;
      byNumber.clear();
      untouched.clear();
    }

    private void name(Merger merger) {
      int wave = inOrder ? 1 : 1 + random.nextInt(ranges.size() - named);
      List<TokenRange> names = ranges.subList(named, named + wave);
      named += wave;
      for (TokenRange each : names) {
        untouched.add(byNumber.size());
        byNumber.add(each);
      }
      merger.expect(names, named == ranges.size());
    }

    private void send(int from, int rows, @Nullable ByteBuffer nodeState) {
      for (int i = from; i < byNumber.size(); i++) {
        asked.add(new Asked(i, i == 0 ? nodeState : null, rows));
      }
    }

    private Step.Page page(Merger merger) {
      while (true) {
        Step step = merger.next();
        if (step instanceof Step.Page page) {
          return page;
        } else if (step instanceof Step.Ask ask) {
          asked.add(new Asked(ask.piece(), ask.nodeState(), ask.rows()));
        } else if (step instanceof Step.SendMore more) {
          int from = byNumber.size();
          name(merger);
          send(from, more.rows(), null);
        } else if (step instanceof Step.Cancel) {
          asked.clear();
        } else if (step instanceof Step.Failed failed) {
          throw new AssertionError(failed);
        } else {
          assertThat(asked).as("sub-requests in flight").isNotEmpty();
          answer(merger, asked.remove(random.nextInt(asked.size())));
        }
      }
    }

    private void answer(Merger merger, Asked each) {
      if (!inOrder
          && untouched.contains(each.piece())
          && each.nodeState() == null
          && random.nextInt(6) == 0) {
        split(merger, each);
        return;
      }
      untouched.remove(each.piece());
      int size = inOrder && fetchSize > 0 ? each.rows() : 1 + random.nextInt(30);
      merger.offer(
          each.piece(),
          table.answer(byNumber.get(each.piece()), each.nodeState(), size, limitInText, BUFFERS));
    }

    /** Cuts a piece in two, as after a timeout. */
    private void split(Merger merger, Asked each) {
      TokenRange whole = byNumber.get(each.piece());
      Token middle = new Token.Murmur3(random.nextLong(-110, 110));
      asked.add(each);
      if (new TokenRange(whole.after(), middle).isEmpty()
          || new TokenRange(middle, whole.upTo()).isEmpty()) {
        return;
      }
      int second = merger.split(each.piece(), middle);
      assertThat(second).isEqualTo(byNumber.size());
      byNumber.set(each.piece(), new TokenRange(whole.after(), middle));
      byNumber.add(new TokenRange(middle, whole.upTo()));
      untouched.add(second);
      asked.add(new Asked(second, null, each.rows()));
    }

    void play() {
      Merger merger = begin(null);
      for (int pages = 0; pages < 300; pages++) {
        Step.Page page = page(merger);
        TestRows.Read read = TestRows.read(page.frame());
        page.frame().release();
        check(page, read);
        if (read.pagingState() == null) {
          assertThat(got).hasSameSizeAs(expected);
          return;
        }
        ClientPagingState state =
            Merger.readState(
                Objects.requireNonNull(read.pagingState()),
                DIGEST,
                new Token.Murmur3(Long.MIN_VALUE));
        asked.clear();
        merger = begin(((ClientPagingState.Sound) state).point());
      }
      throw new AssertionError("no end");
    }

    private Merger begin(@Nullable ResumePoint resume) {
      cut(resume);
      limitInText = resume == null ? limit : resume.rowsLeft();
      Merger merger = new Merger(order(resume), BUFFERS);
      name(merger);
      int wanted =
          limitInText < 0 || (fetchSize > 0 && fetchSize < limitInText) ? fetchSize : limitInText;
      send(0, wanted, resume == null ? null : resume.nodeState());
      return merger;
    }

    /** Returns the rows as partition and number, for messages. */
    private static List<String> names(List<? extends List<@Nullable ByteBuffer>> rows) {
      return rows.stream()
          .map(row -> StandardCharsets.UTF_8.decode(row.get(0).duplicate()).toString())
          .map(name -> name.replaceAll("x+", ""))
          .toList();
    }

    private void check(Step.Page page, TestRows.Read read) {
      int left = expected.size() - got.size();
      assertThat(page.rows()).isEqualTo(fetchSize == 0 ? left : Math.min(fetchSize, left));
      assertThat(read.cells()).hasSize(page.rows());
      assertThat(names(read.cells()))
          .isEqualTo(names(expected.subList(got.size(), got.size() + page.rows())));
      assertThat(read.cells()).isEqualTo(expected.subList(got.size(), got.size() + page.rows()));
      got.addAll(read.cells());
    }
  }

  @Test
  void empty_answers_are_merged_into_a_page_without_rows() {
    Frame empty = new TestRows("k int").frame(BUFFERS);
    Merger merger =
        new Merger(
            new MergeOrder(
                new MergeRule.Concatenate(null, false),
                4,
                10,
                -1,
                -1,
                null,
                DIGEST,
                1000,
                null,
                null),
            BUFFERS);
    merger.expect(List.of(TokenRange.ALL), true);
    assertThat(merger.next()).isEqualTo(new Step.Wait());
    merger.offer(0, empty);
    Step.Page page = (Step.Page) merger.next();
    assertThat(page.rows()).isZero();
    assertThat(TestRows.read(page.frame()).pagingState()).isNull();
    page.frame().release();
    assertThat(BUFFERS.held()).isZero();
  }
}
