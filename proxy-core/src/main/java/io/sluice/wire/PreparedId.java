package io.sluice.wire;

import io.netty.buffer.ByteBufUtil;
import java.util.Arrays;

/**
 * The id of a prepared statement, as the nodes give it: the same for the same text and keyspace.
 */
public final class PreparedId {

  private final byte[] bytes;

  PreparedId(byte[] bytes) {
    this.bytes = bytes;
  }

  byte[] bytes() {
    return bytes;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof PreparedId that && Arrays.equals(bytes, that.bytes);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(bytes);
  }

  /** Hexadecimal, as Cassandra's messages show it. */
  @Override
  public String toString() {
    return ByteBufUtil.hexDump(bytes);
  }
}
