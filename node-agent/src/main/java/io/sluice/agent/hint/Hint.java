package io.sluice.agent.hint;

import java.nio.ByteBuffer;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The facts about a whole range read that the proxy sends. Immutable. */
public final class Hint {
  /** Its key in a custom payload, and the name of the internode parameter. */
  public static final String KEY = "sluice";

  /** The width where it is for the coordinator to know how many replicas it asks. */
  public static final int WIDTH_UNKNOWN = 0;

  private static final byte FORMAT = 1;
  private static final int LENGTH = 7;

  private final int width;
  private final long rows;

  private Hint(int width, long rows) {
    this.width = width;
    this.rows = rows;
  }

  /** A hint of this node's own making; both are clamped to what the format can hold. */
  public static Hint of(int width, long rows) {
    return new Hint(
        Math.max(WIDTH_UNKNOWN, Math.min(width, 0xffff)),
        Math.max(0, Math.min(rows, 0xffff_ffffL)));
  }

  /** The hint among custom parameters, or null if there is none that can be read. */
  public static @Nullable Hint in(@Nullable Map<?, ?> parameters) {
    Object value = parameters == null ? null : parameters.get(KEY);
    if (value instanceof ByteBuffer) {
      return read(((ByteBuffer) value).duplicate());
    }
    return value instanceof byte[] ? read(ByteBuffer.wrap((byte[]) value)) : null;
  }

  private static @Nullable Hint read(ByteBuffer bytes) {
    if (bytes.remaining() < LENGTH || bytes.get() != FORMAT) {
      return null;
    }
    return of(bytes.getShort() & 0xffff, bytes.getInt() & 0xffff_ffffL);
  }

  /** As it travels. */
  public byte[] bytes() {
    return ByteBuffer.allocate(LENGTH)
        .put(FORMAT)
        .putShort((short) width)
        .putInt((int) rows)
        .array();
  }

  /** How many replicas' ranges the whole read is sent to, 1..65535, or {@link #WIDTH_UNKNOWN}. */
  public int width() {
    return width;
  }

  /** Whether it tells the width. */
  public boolean hasWidth() {
    return width != WIDTH_UNKNOWN;
  }

  /** How many rows the whole read may still need. */
  public long rows() {
    return rows;
  }

  @Override
  public String toString() {
    return "width " + width + ", rows " + rows;
  }
}
