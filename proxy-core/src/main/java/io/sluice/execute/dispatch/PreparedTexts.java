package io.sluice.execute.dispatch;

import io.sluice.wire.PreparedId;
import io.sluice.wire.StatementMetadata;
import org.jspecify.annotations.Nullable;

/** Knows what prepared ids stand for. Safe for any thread. */
public interface PreparedTexts {

  /** Null when it is not known (any more). */
  @Nullable PreparedText text(PreparedId id);

  /**
   * A node has prepared the statement again. Whether it tells of it what clients were told last: if
   * not, or if that is not known, clients have to prepare it again themselves.
   */
  boolean isAsTold(PreparedId id, int version, StatementMetadata now);
}
