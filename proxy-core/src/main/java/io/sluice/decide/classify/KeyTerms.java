package io.sluice.decide.classify;

import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The terms that a statement gives for the columns of its table's partition key.
 *
 * @param parts the terms in the order of the key; empty when the statement does not name the whole
 *     key
 */
record KeyTerms(List<Part> parts) {
  /** No key, or a key that is not understood. */
  static final KeyTerms UNKNOWN = new KeyTerms(List.of());

  private static final int LONGEST = 0xFFFF;

  /**
   * One column.
   *
   * @param type its CQL type
   * @param values one for an equality, any number for an IN list
   * @param boundList whether the one value is a marker for a whole list
   */
  record Part(String type, List<Expression> values, boolean boundList) {

    @Nullable ByteBuffer bytes(BoundValues bound) {
      return boundList || values.size() != 1 ? null : TermBytes.of(values.get(0), type, bound);
    }

    int count(BoundValues bound) {
      if (!boundList) {
        return values.size();
      }
      ByteBuffer list = TermBytes.bound(values.get(0), bound);
      if (list == null || list.remaining() < Integer.BYTES) {
        return 1;
      }
      // Each element begins with a length of four bytes, which bounds the list's own count.
      int most = list.remaining() / Integer.BYTES - 1;
      return Math.max(0, Math.min(most, list.getInt(list.position())));
    }
  }

  /** Returns the key as the partitioner hashes it, or null when a part of it is in doubt. */
  @Nullable ByteBuffer serialised(BoundValues values) {
    if (parts.size() == 1) {
      ByteBuffer only = parts.get(0).bytes(values);
      // Cassandra refuses an empty key of one column; an empty component is a value.
      return only == null || !only.hasRemaining() || only.remaining() > LONGEST ? null : only;
    }
    return parts.isEmpty() ? null : composite(values);
  }

  /** Whether Cassandra accepts each term as a value of its column. */
  boolean valid(BoundValues values) {
    for (Part part : parts) {
      ByteBuffer value = part.bytes(values);
      if (value == null || !ValueBytes.valid(part.type(), value)) {
        return false;
      }
    }
    return true;
  }

  /**
   * Returns a composite key: each component is its length in two bytes, its bytes, and a zero byte.
   */
  private @Nullable ByteBuffer composite(BoundValues values) {
    ByteBuffer[] components = new ByteBuffer[parts.size()];
    int size = 0;
    for (int i = 0; i < components.length; i++) {
      ByteBuffer component = parts.get(i).bytes(values);
      if (component == null || component.remaining() > LONGEST) {
        return null;
      }
      components[i] = component;
      size += component.remaining() + 3;
    }
    if (size > LONGEST) {
      return null;
    }
    ByteBuffer key = ByteBuffer.allocate(size);
    for (ByteBuffer component : components) {
      key.putShort((short) component.remaining()).put(component.duplicate()).put((byte) 0);
    }
    return key.flip();
  }

  /** Returns the approximate memory of the terms, in bytes. */
  long heapBytes() {
    long bytes = 0;
    for (Part part : parts) {
      for (Expression value : part.values()) {
        bytes += value.heapBytes();
      }
    }
    return bytes;
  }

  int partitions(BoundValues values) {
    long product = 1;
    for (Part part : parts) {
      product = Math.min(Integer.MAX_VALUE, product * part.count(values));
    }
    return (int) product;
  }
}
