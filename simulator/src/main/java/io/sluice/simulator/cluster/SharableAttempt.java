package io.sluice.simulator.cluster;

import io.sluice.decide.schedule.Query;
import io.sluice.decide.share.ScanSharing;
import io.sluice.ring.NodeId;
import java.util.List;

/** An attempt as its home, and the reads that it may share with others, see it. */
abstract class SharableAttempt extends ProxyAttempt implements ScanSharing.Waiting {
  SharableAttempt(
      SimProxy proxy, Query query, int pieceNumber, List<NodeId> replicas, double rows) {
    super(proxy, query, pieceNumber, replicas, rows);
  }

  /** Takes all its rows from a read at this node. */
  abstract void served(NodeId node, long rows);

  /** Queues the piece again at the same home, because a shared read did not serve it. */
  abstract void requeue();

  /** Leaves the home, which has died, so that no other read takes the piece along. */
  abstract void leaveHome();

  /** Sends the piece to the next home, because its home has died with it. */
  abstract void moveToNextHome();
}
