package io.sluice.wire;

import io.netty.buffer.ByteBufUtil;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;

/**
 * The id of a prepared statement, as the nodes give it: the same for the same text and keyspace.
 */
public final class PreparedId {

  private final byte[] bytes;

  PreparedId(byte[] bytes) {
    this.bytes = bytes;
  }

  /** The id that all proxies give to a statement; a digest. */
  public static PreparedId of(String statement) {
    try {
      MessageDigest digest = MessageDigest.getInstance("MD5");
      return new PreparedId(digest.digest(statement.getBytes(StandardCharsets.UTF_8)));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JVM has MD5", e);
    }
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
