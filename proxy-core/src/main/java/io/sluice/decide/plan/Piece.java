package io.sluice.decide.plan;

import io.sluice.ring.NodeId;
import io.sluice.ring.TokenRange;
import java.util.List;

/**
 * A part of a range read that one node is asked for.
 *
 * @param range its tokens
 * @param replicas its owners, the primary replica of its first token first. For a piece that spans
 *     owners, nodes that own all or a part of it
 * @param rows estimated number of its rows, at least 0
 */
public record Piece(TokenRange range, List<NodeId> replicas, double rows) {

  public Piece {
    replicas = List.copyOf(replicas);
  }
}
