package io.sluice.execute.dispatch;

import io.sluice.wire.PreparedId;
import org.jspecify.annotations.Nullable;

/** Knows what prepared ids stand for. Safe for any thread. */
public interface PreparedTexts {

  /** Null when it is not known (any more). */
  @Nullable PreparedText text(PreparedId id);
}
