package io.sluice.exchange.range;

import io.sluice.decide.schedule.Query;
import io.sluice.decide.share.ScanSharing;
import io.sluice.exchange.QueuedRead;
import io.sluice.exchange.ReplicaRead;
import io.sluice.ring.NodeId;
import io.sluice.wire.Frame;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A piece's place in a queue, which it may give up for a share of the answer to another piece. */
abstract class Rider extends QueuedRead implements ScanSharing.Waiting {

  Rider(ReplicaRead read, Query query, int segment, List<NodeId> nodes, double rows) {
    super(read, query, segment, nodes, rows);
  }

  /** Whether its client would take rows for it now. May be called from any thread. */
  abstract boolean hasRoom();

  /**
   * Another piece has read for it, after it gave its turn up. Called once, from any thread, and
   * takes the frame over.
   *
   * @param answer null when there is no share for it: it has to wait for its turn again
   */
  abstract void ride(@Nullable Frame answer);

  /**
   * Another piece has read for it, but its client has too much unread. Called instead of {@link
   * #ride}.
   */
  abstract void postpone();
}
