package io.sluice.decide.classify;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The values of a request for its statement's bind markers, by position or by name, never both: the
 * other method returns null. Buffers are read by absolute position only.
 */
public interface BoundValues {
  /** No values. */
  BoundValues NONE =
      new BoundValues() {
        @Override
        public @Nullable ByteBuffer get(int index) {
          return null;
        }

        @Override
        public @Nullable ByteBuffer get(String name) {
          return null;
        }
      };

  /**
   * Returns the value of a marker by its position.
   *
   * @param index from 0, in the order of the markers in the text
   * @return null when absent, null or unset
   */
  @Nullable ByteBuffer get(int index);

  /**
   * Returns the value of a named marker.
   *
   * @param name as stored: lower case unless it was quoted
   * @return null when absent, null or unset
   */
  @Nullable ByteBuffer get(String name);
}
