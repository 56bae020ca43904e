package io.sluice.decide.share;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.decide.share.ScanSharing.Together;
import io.sluice.decide.share.ShareRule.Scan;
import io.sluice.ring.NodeId;
import io.sluice.ring.Token;
import io.sluice.ring.TokenRange;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/**
 * Tests the choice of queued pieces to read with one whose turn has come. One row for each token.
 */
class ScanSharingTest {

  private static final NodeId HERE = new NodeId(new UUID(0, 1));
  private static final NodeId ELSEWHERE = new NodeId(new UUID(0, 2));

  private final ScanSharing<Reader> sharing = new ScanSharing<>();
  private final ShareRule upToThousandRows = new ShareRule(new OneRowPerToken(), 1_000, 1_000);

  private record Reader(String key, long sequence, Scan scan, NodeId node, boolean leaves)
      implements ScanSharing.Waiting {

    @Override
    public boolean mayGoTo(NodeId where) {
      return where.equals(node);
    }

    @Override
    public boolean leaveQueue() {
      return leaves;
    }
  }

  private static Reader reader(String key, long sequence, long after, int rows) {
    return new Reader(key, sequence, scan(after, rows), HERE, true);
  }

  private static Scan scan(long after, int rows) {
    return new Scan(new TokenRange(new Token.Murmur3(after), new Token.Murmur3(9_000)), rows);
  }

  private List<Reader> along(Reader first, Reader... others) {
    sharing.add(first);
    for (Reader other : others) {
      sharing.add(other);
    }
    sharing.remove(first);
    Together<Reader> together = sharing.takeAlong(first, first.scan(), HERE, upToThousandRows);
    return together == null ? List.of() : together.riders();
  }

  @Test
  void who_wants_the_same_rows_goes_along() {
    Reader before = reader("t", 2, 50, 200);
    Reader behind = reader("t", 3, 150, 200);

    assertThat(along(reader("t", 1, 100, 200), before, behind)).containsExactly(before, behind);
  }

  @Test
  void where_not_all_fit_those_that_came_first_go() {
    Reader nearButLate = reader("t", 9, 90, 600);
    Reader farButEarly = reader("t", 2, 600, 600);

    assertThat(along(reader("t", 1, 300, 600), nearButLate, farButEarly))
        .containsExactly(farButEarly);
  }

  @Test
  void who_asks_for_something_else_or_elsewhere_or_has_gone_does_not() {
    Reader other = reader("u", 2, 100, 200);
    Reader elsewhere = new Reader("t", 3, scan(100, 200), ELSEWHERE, true);
    Reader gone = new Reader("t", 4, scan(100, 200), HERE, false);

    assertThat(along(reader("t", 1, 100, 200), other, elsewhere, gone)).isEmpty();
  }

  @Test
  void a_read_that_left_its_queue_leaves_nothing_behind() {
    Reader one = reader("t", 1, 100, 200);
    Reader two = reader("t", 2, 100, 200);
    sharing.add(one);
    sharing.add(two);
    sharing.remove(one);
    assertThat(sharing.isEmpty()).isFalse();
    sharing.remove(two);
    assertThat(sharing.isEmpty()).isTrue();
  }
}
