package io.sluice.execute.merge;

import io.sluice.wire.Frame;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An answer that was read for several.
 *
 * @param frames for each of them a RESULT of kind Rows, which the receiver has to release; null
 *     where the answer ends before it tells anything of what was asked
 * @param given rows in all frames together; one that is in two of them counts twice
 * @param unused rows before the first and behind the last of them
 */
public record Shares(List<@Nullable Frame> frames, long given, int unused) {

  public Shares {
    frames = Collections.unmodifiableList(frames);
  }
}
