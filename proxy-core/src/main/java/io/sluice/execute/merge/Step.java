package io.sluice.execute.merge;

import io.sluice.wire.Frame;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** The next step of a read whose answers are merged. */
public sealed interface Step {

  /** Nothing, until another answer comes. */
  record Wait() implements Step {}

  /**
   * Ask a piece (again). Cassandra ignores a paging state when the page size is 0, or not below the
   * LIMIT in the text, and would begin anew: with {@code inner} a request needs a page size, and no
   * LIMIT. The state says itself how many rows are left.
   *
   * @param piece its number, in the order in which pieces were named
   * @param inner the node's paging state to ask with; null to ask from the piece's beginning
   * @param rows rows that are wanted from here on; −1 for all. As page size of a read that cannot
   *     be cut inside an answer this is exact, else a hint
   */
  record Ask(int piece, @Nullable ByteBuffer inner, int rows) implements Step {}

  /**
   * Every piece named so far is used up: name and ask more.
   *
   * @param rows rows that are still missing; −1 for all
   */
  record SendMore(int rows) implements Step {}

  /** Nothing that is not answered yet is wanted for this page; an answer to it must not come. */
  record Cancel() implements Step {}

  /**
   * The page is ready, and the merger is closed.
   *
   * @param frame the answer, on stream 0; the receiver's
   * @param rows how many rows it has
   * @param last whether no page follows
   */
  record Page(Frame frame, int rows, boolean last) implements Step {}

  /**
   * The read has to fail; every answer is released.
   *
   * @param reason why
   * @param message for the client
   */
  record Failed(Reason reason, String message) implements Step {}

  /** Why a read fails. */
  enum Reason {
    /** Pieces were answered under different schemas. */
    SCHEMA_CHANGED,
    /** A node's answer is not what was asked for, or not well-formed. */
    MALFORMED,
    /** More than one frame can hold. */
    TOO_LARGE,
    /** No piece was named, so that the columns are not known. */
    NOTHING_ASKED
  }
}
