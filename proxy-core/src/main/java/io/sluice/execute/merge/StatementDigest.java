package io.sluice.execute.merge;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import org.jspecify.annotations.Nullable;

/**
 * A hash of a statement's text, keyspace and bound values. It binds a paging state to its
 * statement. LIMIT is not hashed: the paging state holds the remaining rows and takes precedence,
 * as in Cassandra.
 *
 * @param high the first half
 * @param low the second half
 */
public record StatementDigest(long high, long low) {

  /**
   * Computes the digest of a statement with its values.
   *
   * @param cql the text without the value of LIMIT
   * @param keyspace the keyspace of unqualified names; null without
   * @param values the bound values except that of LIMIT, in the order of the markers, each with its
   *     length
   */
  public static StatementDigest of(String cql, @Nullable String keyspace, byte[] values) {
    MessageDigest md5;
    try {
      md5 = MessageDigest.getInstance("MD5");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has MD5", e);
    }
    byte[] text = cql.getBytes(StandardCharsets.UTF_8);
    md5.update(ByteBuffer.allocate(Integer.BYTES).putInt(0, text.length));
    md5.update(text);
    md5.update(values);
    if (keyspace != null) {
      md5.update((byte) 0);
      md5.update(keyspace.getBytes(StandardCharsets.UTF_8));
    }
    ByteBuffer hash = ByteBuffer.wrap(md5.digest());
    return new StatementDigest(hash.getLong(), hash.getLong());
  }
}
