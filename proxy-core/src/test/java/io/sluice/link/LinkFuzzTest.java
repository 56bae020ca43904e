package io.sluice.link;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.util.ReferenceCountUtil;
import io.sluice.link.Link.AnswerHandler;
import io.sluice.ring.NodeId;
import io.sluice.time.TestLane;
import io.sluice.wire.Answers;
import io.sluice.wire.Choices;
import io.sluice.wire.Compression;
import io.sluice.wire.CountedBuffers;
import io.sluice.wire.CqlCodec;
import io.sluice.wire.ErrorCode;
import io.sluice.wire.Frame;
import io.sluice.wire.FrameHandlers;
import io.sluice.wire.Framing;
import io.sluice.wire.FuzzLimits;
import io.sluice.wire.FuzzedPeer;
import io.sluice.wire.ProtocolError;
import io.sluice.wire.RowsAnswer;
import io.sluice.wire.RowsAnswer.RowCursor;
import io.sluice.wire.RowsPage;
import io.sluice.wire.TestFrames;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * A fuzz test of a link to a node that sends bytes of the fuzzer's choice. Each request is answered
 * or lost, once. Readers throw only exceptions that their callers expect, no buffer is held in the
 * end, and nothing is logged.
 */
class LinkFuzzTest {

  private static final CountedBuffers BUFFERS = new CountedBuffers();

  @RegisterExtension static final FuzzLimits LIMITS = new FuzzLimits(BUFFERS);

  private static final NodeId NODE = new NodeId(new UUID(0, 1));
  private static final int MAX_TURNS = 100;

  @FuzzTest
  void nothing_a_node_sends_breaks_its_link(byte[] script) {
    LIMITS.check(script, () -> new Run(new Choices(script)).play());
  }

  /**
   * Closes the connection after the current read. A real channel removes its handlers then, but an
   * embedded one does so at once.
   */
  private static final class ClosesLater extends ChannelOutboundHandlerAdapter {
    private @Nullable ChannelHandlerContext closing;

    @Override
    public void close(ChannelHandlerContext ctx, ChannelPromise promise) {
      closing = ctx;
    }

    void readIsOver() {
      if (closing != null) {
        closing.close();
      }
    }
  }

  /** One link. */
  private static final class Run {
    private final Choices choices;
    private final TestLane lane = new TestLane();
    private final EmbeddedChannel channel = new EmbeddedChannel();
    private final ClosesLater closesLater = new ClosesLater();
    private final Framing framing;
    private final FuzzedPeer node;
    private final Link link;
    private final int version;
    private final List<Waiting> all = new ArrayList<>();
    private @Nullable Throwable thrown;

    Run(Choices choices) {
      this.choices = choices;
      version = 3 + choices.below(3);
      channel.config().setAllocator(BUFFERS);
      channel.pipeline().addLast(closesLater);
      framing = FrameHandlers.install(channel.pipeline(), Framing.Side.CLIENT, 1 << 20);
      Compression agreed =
          List.of(Compression.NONE, Compression.LZ4, Compression.SNAPPY).get(choices.below(3));
      framing.compression(version == 5 && agreed == Compression.SNAPPY ? Compression.NONE : agreed);
      node = new FuzzedPeer(choices, framing);
      LinkConfig config = LinkConfig.defaults();
      NodePulse pulse = new NodePulse(NODE, config, lane, (id, suspect) -> {});
      link = new Link(pulse, version, channel, lane, lane, config, bytes -> {});
      channel.pipeline().addLast(LIMITS.counter(), link);
      link.becomesReady();
    }

    void play() {
      for (int turn = 0; choices.more() && channel.isActive() && turn < MAX_TURNS; turn++) {
        switch (choices.below(6)) {
          case 0, 1 -> ask();
          case 2 -> lane.pass(10L * choices.octet());
          default -> arrive();
        }
        lane.runSoon();
        takeAll();
        closesLater.readIsOver();
      }
      link.close("the end");
      closesLater.readIsOver();
      lane.runSoon();
      takeAll();
      channel.checkException();
      for (Waiting each : all) {
        if (each.ends != 1) {
          throw new AssertionError("answers and losses of one request: " + each.ends);
        }
      }
      if (thrown != null) {
        throw new AssertionError("while an answer was read", thrown);
      }
    }

    private void ask() {
      Waiting waiting = new Waiting();
      if (link.send(CqlCodec.query(version, "SELECT 1"), waiting) >= 0) {
        all.add(waiting);
      }
    }

    private void arrive() {
      ByteBuf bytes = node.arrives(BUFFERS);
      int cut = choices.octet();
      if (cut > 0 && cut < bytes.readableBytes()) {
        channel.writeInbound(bytes.readRetainedSlice(cut));
      }
      if (channel.isOpen()) {
        channel.writeInbound(bytes);
      } else {
        bytes.release();
      }
    }

    private void takeAll() {
      // An embedded channel removes its handlers while it reads, a real one afterwards.
      for (Object each = channel.readInbound(); each != null; each = channel.readInbound()) {
        if (each instanceof Frame late) {
          late.release();
        }
      }
      for (Object each = channel.readOutbound(); each != null; each = channel.readOutbound()) {
        ReferenceCountUtil.release(each);
      }
    }

    /** A request whose response is passed to all readers of responses. */
    private final class Waiting implements AnswerHandler {
      private int ends;

      @Override
      public void answered(Frame answer) {
        ends++;
        try {
          read(() -> headOf(answer));
          read(() -> Answers.rowCount(answer));
          read(() -> Answers.authenticator(answer));
          read(() -> pagesOf(answer));
        } finally {
          answer.release();
        }
      }

      @Override
      public void lost(String reason) {
        ends++;
      }
    }

    private void headOf(Frame answer) {
      if (Answers.errorCode(answer) == ErrorCode.UNPREPARED) {
        Answers.unpreparedId(answer);
      } else if (Answers.errorCode(answer) >= 0) {
        Answers.errorMessage(answer);
      } else if (Answers.isPrepared(answer)) {
        Answers.preparedId(answer);
        Answers.statementMetadata(answer);
      } else if (Answers.isSetKeyspace(answer)) {
        Answers.keyspace(answer);
      } else if (Answers.isRows(answer)) {
        Answers.skipsMetadata(answer);
        Answers.hasMorePages(answer);
      }
    }

    /** Copies all rows into another answer, which has the same number. */
    private void pagesOf(Frame answer) {
      Frame shared = TestFrames.shared(answer);
      RowsAnswer rows;
      try {
        rows = RowsAnswer.of(shared);
      } catch (RuntimeException e) {
        shared.release();
        throw e;
      }
      RowsPage page = new RowsPage();
      try {
        page.note(rows);
        RowCursor row = rows.rows();
        while (row.next()) {
          for (int i = 0; i < rows.columns(); i++) {
            row.cell(i);
          }
          page.add(rows, row.begin(), row.end(), 1);
        }
        Frame copy = page.toFrame(version, rows.metadata(), rows.pagingState(), BUFFERS);
        RowsAnswer again = RowsAnswer.of(copy);
        int count = again.rowCount();
        again.release();
        if (count != rows.rowCount()) {
          throw new AssertionError("rows: " + count + " of " + rows.rowCount());
        }
      } finally {
        page.release();
        rows.release();
      }
    }

    /** Callers expect protocol errors and the errors of bytes that end too early. */
    private void read(Runnable reading) {
      try {
        reading.run();
      } catch (ProtocolError | IndexOutOfBoundsException | IllegalArgumentException e) {
        // The request ends with an error.
      } catch (Throwable e) {
        thrown = e;
      }
    }
  }
}
