package io.sluice.agent.hint;

import java.nio.ByteBuffer;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The proxy's information about a whole range read. Immutable. */
public final class Hint {
  /** The key in a custom payload, and the name of the internode parameter. */
  public static final String KEY = "sluice";

  /**
   * The width if the proxy leaves it to the coordinator, which knows how many replicas it reads
   * from.
   */
  public static final int WIDTH_UNKNOWN = 0;

  private static final byte FORMAT = 1;
  private static final int LENGTH = 7;

  private final int width;
  private final long rows;

  private Hint(int width, long rows) {
    this.width = width;
    this.rows = rows;
  }

  /** Returns a hint made by this node. Clamps both values to the range of the format. */
  public static Hint of(int width, long rows) {
    return new Hint(
        Math.max(WIDTH_UNKNOWN, Math.min(width, 0xffff)),
        Math.max(0, Math.min(rows, 0xffff_ffffL)));
  }

  /** Returns the hint among custom parameters, or null if there is no readable one. */
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

  /** Returns the encoded hint. */
  public byte[] bytes() {
    return ByteBuffer.allocate(LENGTH)
        .put(FORMAT)
        .putShort((short) width)
        .putInt((int) rows)
        .array();
  }

  /**
   * Returns the number of replicas' ranges that the whole read covers, 1..65535, or {@link
   * #WIDTH_UNKNOWN}.
   */
  public int width() {
    return width;
  }

  /** Whether the hint has a width. */
  public boolean hasWidth() {
    return width != WIDTH_UNKNOWN;
  }

  /** Returns the number of rows that the whole read may still need. */
  public long rows() {
    return rows;
  }

  @Override
  public String toString() {
    return "width " + width + ", rows " + rows;
  }
}
