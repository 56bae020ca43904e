package io.sluice.execute.merge;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import org.jspecify.annotations.Nullable;

/**
 * A hash of a statement's text, keyspace and bound values: a paging state serves only the statement
 * it was given for.
 *
 * @param high the first half
 * @param low the second half
 */
public record StatementDigest(long high, long low) {

  /**
   * The digest of one statement with its values.
   *
   * @param cql its text
   * @param keyspace the keyspace that unqualified names mean; null without
   * @param values what is bound, as the client sent it
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
