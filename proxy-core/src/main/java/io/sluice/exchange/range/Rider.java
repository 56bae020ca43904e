package io.sluice.exchange.range;

import io.sluice.decide.schedule.Query;
import io.sluice.decide.share.ScanSharing;
import io.sluice.exchange.QueuedRead;
import io.sluice.exchange.ReplicaRead;
import io.sluice.ring.NodeId;
import io.sluice.wire.Frame;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A piece's place in a queue. The piece may leave the queue and take its rows from the answer to
 * another piece.
 */
abstract class Rider extends QueuedRead implements ScanSharing.Waiting {

  Rider(ReplicaRead read, Query query, int pieceNumber, List<NodeId> nodes, double rows) {
    super(read, query, pieceNumber, nodes, rows);
  }

  /**
   * Called on any thread when the piece has left its queue, or its wait for its client, for a
   * shared scan. A piece that was postponed may leave again.
   */
  abstract void aboard();

  /** Whether the piece waited for a slot, and not for its client, when it left. */
  abstract boolean wasQueued();

  /** Whether the client can take the rows now. May be called from any thread. */
  abstract boolean hasRoom();

  /**
   * Called from any thread when the shared scan has ended, once for each scan unless {@link
   * #postpone} is called. Takes the frame over.
   *
   * @param answer the rows of this piece; null when there are none, and the piece must be queued
   *     again
   */
  abstract void ride(@Nullable Frame answer);

  /** Called instead of {@link #ride} when the client has too much unread data. */
  abstract void postpone();
}
