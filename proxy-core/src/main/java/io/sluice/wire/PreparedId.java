package io.sluice.wire;

import io.netty.buffer.ByteBufUtil;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;

/**
 * The id of a prepared statement. Nodes give the same id to the same text and keyspace. Immutable.
 */
public final class PreparedId {

  private final byte[] bytes;

  PreparedId(byte[] bytes) {
    this.bytes = bytes;
  }

  /** Returns the id that all proxies give to a statement: a digest of its text. */
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

  /** Returns the id in hexadecimal, as in Cassandra's messages. */
  @Override
  public String toString() {
    return ByteBufUtil.hexDump(bytes);
  }
}
