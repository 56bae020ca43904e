package io.sluice.execute.merge;

import io.sluice.wire.Frame;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** The next step of a read whose answers are merged. */
public sealed interface Step {

  /** Wait for another answer. */
  record Wait() implements Step {}

  /**
   * Ask a piece (again). With {@code inner}, the request needs a page size and no LIMIT: Cassandra
   * ignores a paging state and restarts when the page size is 0 or not below the LIMIT in the text.
   * The paging state itself holds the remaining rows.
   *
   * @param piece the number of the piece, in the order in which pieces were named
   * @param inner the node's paging state; null for the beginning of the piece
   * @param rows rows that are missing from here on; −1 for all. This must be the exact page size of
   *     a read that cannot be cut inside an answer, else it is a hint
   */
  record Ask(int piece, @Nullable ByteBuffer inner, int rows) implements Step {}

  /**
   * Name and ask more pieces: all pieces named so far are used up.
   *
   * @param rows rows that are still missing; −1 for all
   */
  record SendMore(int rows) implements Step {}

  /** Cancel all requests in flight. Their answers must not arrive any more. */
  record Cancel() implements Step {}

  /**
   * The page is ready, and the merger is closed.
   *
   * @param frame the answer, on stream 0, owned by the receiver
   * @param rows the number of its rows
   * @param last whether no page follows
   */
  record Page(Frame frame, int rows, boolean last) implements Step {}

  /**
   * The read fails; all answers are released.
   *
   * @param reason the reason
   * @param message the message for the client
   */
  record Failed(Reason reason, String message) implements Step {}

  /** The reason why a read fails. */
  enum Reason {
    /** Pieces were answered under different schemas. */
    SCHEMA_CHANGED,
    /** A node's answer does not match the request, or is malformed. */
    MALFORMED,
    /** The page does not fit into one frame. */
    TOO_LARGE,
    /** No piece was named, so that the columns are not known. */
    NOTHING_ASKED
  }
}
