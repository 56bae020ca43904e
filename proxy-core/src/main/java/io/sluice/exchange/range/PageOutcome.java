package io.sluice.exchange.range;

import io.sluice.exchange.ReadTrace;
import io.sluice.execute.reply.Failure;
import io.sluice.wire.Frame;
import org.jspecify.annotations.Nullable;

/** Told what became of a page: one of the first five, once. On the lane of its client. */
interface PageOutcome {

  /** It is there; the receiver's. */
  void page(Frame answer);

  /** A node's own error, the receiver's. */
  void error(Frame answer);

  /** It cannot be had. */
  void failed(Failure failure);

  /** A node refuses what a piece says: only the client's own words are sure to be right. */
  void mustGoWhole();

  /** The schema changed while it was read; nothing of it was given out. */
  void schemaChanged(String message);

  /** Something of it has come. */
  void progressed();

  /** Where requests to nodes are recorded; null when they are not. */
  default @Nullable ReadTrace trace() {
    return null;
  }

  /** Whether it is still waited for. */
  boolean isWanted();
}
