package io.sluice.execute.merge;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.netty.buffer.ByteBuf;
import io.sluice.decide.plan.MergeRule;
import io.sluice.decide.plan.MergeRule.RowKey;
import io.sluice.decide.plan.ResumePoint;
import io.sluice.execute.merge.Merger.MergeOrder;
import io.sluice.execute.merge.Merger.Step;
import io.sluice.ring.Token;
import io.sluice.ring.TokenRange;
import io.sluice.wire.Choices;
import io.sluice.wire.CountedBuffers;
import io.sluice.wire.Frame;
import io.sluice.wire.FuzzLimits;
import io.sluice.wire.TestFrames;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * A fuzz test of a page of a range read. The fuzzer chooses the paging state, with a right or wrong
 * checksum, and the answers. The read ends with a page or a failure, holds no buffer in the end,
 * and logs nothing.
 */
class PageFuzzTest {

  private static final CountedBuffers BUFFERS = new CountedBuffers();

  @RegisterExtension static final FuzzLimits LIMITS = new FuzzLimits(BUFFERS);

  private static final StatementDigest DIGEST = new StatementDigest(1, 2);
  private static final int MAX_STEPS = 200;

  private static final List<Token> MINIMA =
      List.of(
          new Token.Murmur3(Long.MIN_VALUE),
          new Token.Random(BigInteger.ONE.negate()),
          new Token.Ordered(""));

  @FuzzTest
  void any_paging_state_and_any_answers_end_in_a_page_or_a_failure(byte[] script) {
    LIMITS.check(script, () -> play(new Choices(script)));
  }

  private static void play(Choices choices) {
    Token minimum = MINIMA.get(choices.below(3));
    ResumePoint resume = resume(choices, minimum);
    if (minimum instanceof Token.Murmur3) {
      merge(choices, resume);
    }
  }

  private static @Nullable ResumePoint resume(Choices choices, Token minimum) {
    byte[] state = choices.some();
    NodePagingState.read(ByteBuffer.wrap(state));
    if (choices.flip()) {
      state = forged(state);
    }
    ClientPagingState read = PagingStateCodec.decode(ByteBuffer.wrap(state), DIGEST, minimum);
    if (!(read instanceof ClientPagingState.Sound sound)) {
      return null;
    }
    ByteBuffer again = PagingStateCodec.encode(sound.point(), DIGEST);
    if (!PagingStateCodec.decode(again, DIGEST, minimum).equals(sound)) {
      throw new AssertionError("read again: " + PagingStateCodec.decode(again, DIGEST, minimum));
    }
    return sound.point();
  }

  /** Returns a paging state of the proxy with the fuzzer's bytes as its content. */
  private static byte[] forged(byte[] content) {
    ByteBuffer head = PagingStateCodec.encode(new ResumePoint(null, null, null, -1, -1), DIGEST);
    int begin = 8 + 1 + 16;
    ByteBuffer out = ByteBuffer.allocate(begin + content.length + Integer.BYTES);
    out.put(head.limit(begin)).put(content);
    CRC32C crc = new CRC32C();
    crc.update(out.array(), 0, out.position());
    return out.putInt((int) crc.getValue()).array();
  }

  private static void merge(Choices choices, @Nullable ResumePoint resume) {
    RowKey key = new RowKey(List.of(0), choices.flip() ? List.of(1) : List.of());
    int limit = choices.flip() ? 1 + choices.octet() : -1;
    MergeOrder order =
        new MergeOrder(
            new MergeRule.Concatenate(choices.flip() ? key : null, false),
            3 + choices.below(3),
            choices.octet(),
            limit,
            choices.flip() ? 1 + choices.below(4) : -1,
            resume,
            DIGEST,
            1000,
            null,
            null);
    Merger merger = new Merger(order, BUFFERS);
    try {
      Token after = resume == null ? null : resume.after();
      merger.expect(List.of(new TokenRange(after, null)), true);
      run(choices, merger);
    } finally {
      merger.close();
    }
  }

  private static void run(Choices choices, Merger merger) {
    for (int step = 0; step < MAX_STEPS; step++) {
      Step next = merger.next();
      if (next instanceof Step.Page page) {
        page.frame().release();
        return;
      } else if (next instanceof Step.Failed || !choices.more()) {
        return;
      } else if (next instanceof Step.Wait) {
        merger.offer(0, answer(choices));
      }
    }
  }

  /**
   * Returns a RESULT Rows of one or two columns of type int, with faults of the fuzzer's choice.
   */
  private static Frame answer(Choices choices) {
    LIMITS.frame();
    ByteBuf out = BUFFERS.directBuffer();
    out.writeByte(0x84).writeByte(choices.flip() ? 0 : choices.octet()).writeShort(0);
    out.writeByte(8).writeInt(0);
    if (choices.below(4) == 0) {
      out.writeBytes(choices.some());
    } else {
      rows(choices, out);
    }
    return TestFrames.of(out);
  }

  private static void rows(Choices choices, ByteBuf out) {
    boolean more = choices.flip();
    out.writeInt(2).writeInt(more ? 7 : 5).writeInt(2);
    if (more) {
      byte[] state =
          choices.flip()
              ? new NodePagingState(new byte[] {0, 0, 0, 1}, choices.some(), 5, 5).bytes().array()
              : choices.some();
      out.writeInt(state.length).writeBytes(state);
    }
    int count = choices.below(5);
    out.writeInt(count);
    for (int i = choices.below(8) == 0 ? choices.below(5) : 2 * count; i > 0; i--) {
      byte[] cell = choices.some();
      out.writeInt(choices.below(8) == 0 ? choices.integer() : cell.length).writeBytes(cell);
    }
  }
}
