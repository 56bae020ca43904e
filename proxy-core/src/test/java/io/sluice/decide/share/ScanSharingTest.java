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
 * Tests the choice of queued pieces that are read together with a piece that starts. The table has
 * one row for each token.
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
  void pieces_for_overlapping_rows_are_read_together() {
    Reader before = reader("t", 2, 50, 200);
    Reader behind = reader("t", 3, 150, 200);

    assertThat(along(reader("t", 1, 100, 200), before, behind)).containsExactly(before, behind);
  }

  @Test
  void the_earliest_pieces_are_chosen_if_not_all_fit() {
    Reader nearButLate = reader("t", 9, 90, 600);
    Reader farButEarly = reader("t", 2, 600, 600);

    assertThat(along(reader("t", 1, 300, 600), nearButLate, farButEarly))
        .containsExactly(farButEarly);
  }

  @Test
  void pieces_with_another_key_or_node_or_cancelled_ones_are_not_read_together() {
    Reader other = reader("u", 2, 100, 200);
    Reader elsewhere = new Reader("t", 3, scan(100, 200), ELSEWHERE, true);
    Reader gone = new Reader("t", 4, scan(100, 200), HERE, false);

    assertThat(along(reader("t", 1, 100, 200), other, elsewhere, gone)).isEmpty();
  }

  @Test
  void a_piece_that_leaves_its_queue_is_removed() {
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
