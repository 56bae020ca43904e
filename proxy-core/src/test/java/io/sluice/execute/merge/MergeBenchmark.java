package io.sluice.execute.merge;

import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.PooledByteBufAllocator;
import io.sluice.decide.plan.MergeRule;
import io.sluice.decide.plan.MergeRule.RowKey;
import io.sluice.execute.merge.Merger.MergeOrder;
import io.sluice.execute.merge.Merger.Step;
import io.sluice.ring.Token;
import io.sluice.ring.TokenRange;
import io.sluice.wire.Frame;
import io.sluice.wire.TestRows;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * The cost of merging for each row of a page: 5,000 rows of 200 bytes from eight pieces, answers
 * coming last to first. Whole answers are not walked; {@code cut} ends the page inside the last,
 * {@code counted} also counts rows for PER PARTITION LIMIT. {@code mvn -q -pl proxy-core
 * test-compile exec:exec -Dbench="MergeBenchmark -prof gc"}
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class MergeBenchmark {
  private static final int PIECES = 8;
  private static final int ROWS = 5000;
  private static final ByteBufAllocator ALLOCATOR = PooledByteBufAllocator.DEFAULT;

  /** The number of rows of the last answers that are not on the page. */
  @Param({"whole", "cut", "counted"})
  String end = "";

  private final List<Frame> answers = new ArrayList<>();
  private final List<TokenRange> ranges = new ArrayList<>();
  private MergeOrder order =
      new MergeOrder(
          new MergeRule.Concatenate(null, false),
          4,
          0,
          -1,
          -1,
          null,
          new StatementDigest(1, 2),
          1,
          null,
          null);

  /** Creates one answer for each piece. The last ones hold the rows that a cut leaves out. */
  @Setup
  public void fill() {
    int surplus = end.equals("whole") ? 0 : 10;
    for (int piece = 0; piece < PIECES; piece++) {
      TestRows rows = new TestRows("k blob, c blob, v text");
      int count = ROWS / PIECES + (piece == PIECES - 1 ? surplus : 0);
      for (int i = 0; i < count; i++) {
        rows.row(bytes(8, piece * ROWS + i / 3), bytes(8, i), bytes(184, i));
      }
      answers.add(rows.frame(ALLOCATOR));
      ranges.add(new TokenRange(token(piece), piece == PIECES - 1 ? null : token(piece + 1)));
    }
    order =
        new MergeOrder(
            new MergeRule.Concatenate(new RowKey(List.of(0), List.of(1)), false),
            4,
            ROWS,
            -1,
            end.equals("counted") ? 5 : -1,
            null,
            new StatementDigest(1, 2),
            1 << 24,
            null,
            null);
  }

  private static Token token(int at) {
    return new Token.Murmur3(at);
  }

  private static ByteBuffer bytes(int length, int number) {
    return ByteBuffer.allocate(length).putInt(0, number);
  }

  /** Merges from the first answer to the frame, which is released. */
  @Benchmark
  @OperationsPerInvocation(ROWS)
  public int page() {
    Merger merger = new Merger(order, ALLOCATOR);
    merger.expect(ranges, true);
    for (int piece = PIECES - 1; piece >= 0; piece--) {
      merger.offer(piece, answers.get(piece).share());
      if (piece > 0) {
        merger.next();
      }
    }
    Step.Page page = (Step.Page) merger.next();
    int length = page.frame().length();
    page.frame().release();
    merger.close();
    return length;
  }
}
