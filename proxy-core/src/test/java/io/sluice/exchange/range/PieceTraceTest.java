package io.sluice.exchange.range;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.decide.Refusal;
import io.sluice.decide.plan.ScatterPlan.Piece;
import io.sluice.decide.plan.SplitConfig;
import io.sluice.decide.progress.PageProgress.AfterTimeout;
import io.sluice.decide.schedule.Demand;
import io.sluice.decide.schedule.Permit;
import io.sluice.decide.schedule.QueryFacts;
import io.sluice.exchange.ReadTrace;
import io.sluice.exchange.TestTrace;
import io.sluice.fleet.HomeChoice.Away;
import io.sluice.fleet.Homes;
import io.sluice.ring.NodeId;
import io.sluice.ring.Token;
import io.sluice.ring.TokenRange;
import io.sluice.wire.Frame;
import io.sluice.wire.TestRows;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests the records of a piece's requests: each has the piece's number and its range. */
class PieceTraceTest {

  private static final NodeId NODE = new NodeId(new UUID(0, 1));
  private static final Piece PIECE =
      new Piece(new TokenRange(null, new Token.Murmur3(100)), List.of(NODE), 5);
  private static final String SHOWN = "piece 3, token <= 100, ";

  private final PageFixture fixture =
      new PageFixture(new SplitConfig(SplitConfig.Parallel.WAVES, 1000, 0, 8, 1 << 20, false));
  private final TestTrace record = new TestTrace(fixture.lane);
  private final Frame rows = new TestRows("k int").frame();
  private @Nullable ReadTrace kept = record.trace;
  private final PieceTrace trace = new PieceTrace(new Traced(), 2);

  @AfterEach
  void nothing_is_left() {
    rows.release();
    fixture.close();
  }

  /** A page whose requests may be recorded. */
  private final class Traced implements PieceListener {
    @Override
    public void sent(long atNanos) {
      throw new AssertionError();
    }

    @Override
    public void answered(int number, Frame frame) {
      throw new AssertionError();
    }

    @Override
    public void halved(int number, AfterTimeout.AskHalves halves) {
      throw new AssertionError();
    }

    @Override
    public void failed(int number, PieceError error) {
      throw new AssertionError();
    }

    @Override
    public void statementRefused(int number, Frame frame) {
      throw new AssertionError();
    }

    @Override
    public long leftNanos() {
      throw new AssertionError();
    }

    @Override
    public @Nullable ReadTrace trace() {
      return kept;
    }

    @Override
    public boolean isWanted() {
      throw new AssertionError();
    }
  }

  /** A read that starts at once. */
  private final class Read extends Demand {
    Read() {
      super(
          fixture.scheduler.query(QueryFacts.point("ks.t", "role", Long.MAX_VALUE / 2)),
          0,
          List.of(NODE),
          1);
    }

    @Override
    protected void start(Permit granted) {
      sent();
    }

    @Override
    protected void refuse(Refusal refusal) {
      throw new AssertionError(refusal.message());
    }
  }

  private Read read() {
    Read read = new Read();
    fixture.scheduler.submit(read);
    read.finish(0, rows.length());
    return read;
  }

  private static Away home() {
    UUID proxy = new UUID(0, 9);
    return new Away(
        new Homes.Home(proxy, InetSocketAddress.createUnresolved("home", 9042), proxy), NODE);
  }

  @Test
  void an_ended_request_is_recorded_with_its_riders() {
    trace.ended(PIECE, read(), rows, 2);
    assertThat(record.lines()).containsExactly(SHOWN + "0: read together with 2 others");
  }

  @Test
  void a_request_without_an_answer_is_recorded_as_given_up() {
    trace.ended(PIECE, read(), null, 0);
    assertThat(record.lines()).singleElement().asString().startsWith(SHOWN).contains(": given up");
  }

  @Test
  void a_request_that_waited_at_its_home_is_recorded() {
    trace.endedAtHome(PIECE, home(), new ReadTrace.Times(1, 2), rows);
    assertThat(record.lines())
        .singleElement()
        .asString()
        .startsWith(SHOWN + "0: waited at the node's home");
  }

  @Test
  void rows_of_another_read_are_recorded() {
    trace.shared(PIECE, read(), rows);
    assertThat(record.lines())
        .containsExactly(SHOWN + "0: its rows came with a read of another client");
  }

  @Test
  void without_a_record_nothing_is_recorded() {
    kept = null;
    trace.ended(PIECE, read(), rows, 0);
    trace.endedAtHome(PIECE, home(), new ReadTrace.Times(1, 2), rows);
    trace.shared(PIECE, read(), rows);
    assertThat(record.lines()).isEmpty();
  }
}
