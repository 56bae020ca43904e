package io.sluice.statement;

import io.sluice.decide.classify.BoundValues;
import io.sluice.wire.Values;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** The values of a frame, for the classifier. Valid as long as the frame. */
record FrameValues(Values values) implements BoundValues {

  @Override
  public @Nullable ByteBuffer get(int index) {
    return values.get(index);
  }

  @Override
  public @Nullable ByteBuffer get(String name) {
    return values.get(name);
  }
}
