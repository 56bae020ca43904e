package io.sluice.exchange.range;

import static io.sluice.exchange.range.PageFixture.ALL;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.decide.plan.SplitConfig;
import io.sluice.decide.share.ShareRule.Scan;
import io.sluice.exchange.ReplicaRead;
import io.sluice.ring.NodeId;
import io.sluice.ring.Token;
import io.sluice.ring.TokenRange;
import io.sluice.wire.CqlCodec;
import io.sluice.wire.Frame;
import io.sluice.wire.TestFrames;
import io.sluice.wire.TestRows;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests the scan that a piece sends for itself and for one rider, from its begin to its end. */
class PieceSharingTest {

  private static final NodeId NODE = new NodeId(new UUID(0, 1));
  private static final Scan WHOLE = scan(0, 100);

  private final PageContexts contexts =
      new PageContexts(
          new SplitConfig(SplitConfig.Parallel.WAVES, 1000, 0, 8, 1 << 20, true), 1 << 20);
  private final PageContext page = contexts.context(ALL, 10);
  private final PieceSharing sharing = new PieceSharing(page, unused(PieceListener.class));
  private final List<String> rider = new ArrayList<>();
  private List<String> warnings = List.of();
  private int aboard;

  @AfterEach
  void nothing_is_left() {
    contexts.close();
  }

  private static Scan scan(long after, long upTo) {
    return new Scan(new TokenRange(new Token.Murmur3(after), new Token.Murmur3(upTo)), 10);
  }

  /** A waiting piece that records how it takes its rows. */
  private final class Waiting extends Rider {
    private final Scan scan;

    Waiting(Scan scan) {
      super(
          new ReplicaRead(
              page.context(),
              page.page().client(),
              page.page().linkKey(),
              unused(ReplicaRead.Listener.class)),
          page.query(),
          0,
          List.of(NODE),
          1);
      this.scan = scan;
    }

    @Override
    void aboard() {
      aboard++;
    }

    @Override
    boolean wasQueued() {
      return true;
    }

    @Override
    boolean hasRoom() {
      return true;
    }

    @Override
    void ride(@Nullable Frame answer) {
      if (answer != null) {
        warnings = TestFrames.warnings(answer);
      }
      rider.add(answer == null ? "alone" : keys(answer));
    }

    @Override
    void postpone() {
      rider.add("later");
    }

    @Override
    public Object key() {
      return "key";
    }

    @Override
    public long sequence() {
      return 0;
    }

    @Override
    public Scan scan() {
      return scan;
    }

    @Override
    public boolean mayGoTo(NodeId node) {
      return true;
    }

    @Override
    public boolean leaveQueue() {
      return true;
    }
  }

  /** Returns a listener of which no method is called. */
  private static <T> T unused(Class<T> type) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (self, method, arguments) -> {
              throw new AssertionError(method);
            }));
  }

  private static String keys(Frame answer) {
    String keys = TestRows.read(answer).keys().toString();
    answer.release();
    return keys;
  }

  private static TestRows result(int... keys) {
    TestRows rows = new TestRows("k int");
    for (int key : keys) {
      rows.row(ByteBuffer.allocate(4).putInt(0, key));
    }
    return rows;
  }

  private static Frame rows(int... keys) {
    return result(keys).frame();
  }

  /** Begins a scan of the tokens to 100, of which the piece needs those to 40. */
  private void begin() {
    begin(scan(0, 40), scan(20, 100));
  }

  private void begin(Scan own, Scan ofRider) {
    SharedScan scan = new SharedScan(WHOLE, own, List.of(new Waiting(ofRider)));
    assertThat(sharing.begin(scan)).isEqualTo(WHOLE);
    assertThat(sharing.isShared()).isTrue();
    assertThat(sharing.riders()).isEqualTo(1);
    assertThat(aboard).as("the rider waits").isEqualTo(1);
  }

  private void isOver() {
    assertThat(sharing.isShared()).isFalse();
    assertThat(sharing.riders()).isZero();
  }

  private @Nullable Frame answer(Frame answer) {
    try {
      return sharing.answered(answer);
    } finally {
      answer.release();
    }
  }

  @Test
  void without_riders_the_piece_is_read_as_it_is() {
    assertThat(sharing.begin(null)).isNull();
    isOver();
    sharing.failed();
    assertThat(sharing.isAlone()).as("after a failure of the piece itself").isFalse();
  }

  @Test
  void one_answer_has_the_rows_of_the_piece_and_of_its_rider() {
    begin();
    Frame own = answer(rows(20, 40, 60, 80, 100));
    assertThat(keys(Objects.requireNonNull(own))).isEqualTo("[20, 40]");
    assertThat(rider).containsExactly("[40, 60, 80, 100]");
    isOver();
    assertThat(sharing.isAlone()).isFalse();
    assertThat(contexts.counted("sluice.split.shared")).isEqualTo(1);
  }

  /** A warning may be about the tombstones between the rows that only the other read asks for. */
  @ParameterizedTest
  @CsvSource({"100, 40, own", "40, 100, rider", "40, 40, none", "100, 100, both"})
  void only_a_read_of_all_rows_of_the_scan_gets_the_warnings_of_the_node(
      int own, int ofRider, String warned) {
    begin(scan(0, own), scan(0, ofRider));
    Frame answer = result(20, 60).warning("2 live rows and 1001 tombstone cells").frame();
    Frame mine = Objects.requireNonNull(answer(answer));
    assertThat(TestFrames.warnings(mine)).hasSize(warned.matches("own|both") ? 1 : 0);
    assertThat(warnings).hasSize(warned.matches("rider|both") ? 1 : 0);
    assertThat(keys(mine)).isEqualTo(own == 100 ? "[20, 60]" : "[20]");
    assertThat(rider).containsExactly(ofRider == 100 ? "[20, 60]" : "[20]");
  }

  @Test
  void a_scan_that_has_ended_does_not_fail_afterwards() {
    begin();
    keys(Objects.requireNonNull(answer(rows(20))));
    sharing.failed();
    assertThat(rider).containsExactly("[]");
    assertThat(sharing.isAlone()).isFalse();
  }

  @Test
  void an_answer_that_is_no_rows_gives_no_rows() {
    begin();
    assertThat(answer(CqlCodec.ready(4))).isNull();
    assertThat(rider).containsExactly("alone");
    isOver();
  }

  @Test
  void after_a_failed_scan_the_piece_and_its_rider_are_read_alone() {
    begin();
    sharing.failed();
    assertThat(rider).containsExactly("alone");
    assertThat(sharing.isAlone()).isTrue();
    isOver();
    sharing.failed();
    assertThat(rider).as("once").hasSize(1);
  }

  @Test
  void a_piece_can_be_read_alone_from_now_on() {
    assertThat(sharing.isAlone()).isFalse();
    sharing.readAlone();
    assertThat(sharing.isAlone()).isTrue();
  }
}
