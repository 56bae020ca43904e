package io.sluice.wire;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import org.jspecify.annotations.Nullable;

/**
 * The proved identity of a connection. Two clients have the same identity only if they have proved
 * it with the same SASL token. Identities exist in memory only, and {@code toString} shows the
 * role's name and no secret. Immutable.
 */
public final class Identity {

  /** The identity of all clients of a cluster without authentication. */
  public static final Identity ANONYMOUS = new Identity("anonymous", new byte[0]);

  private final String role;
  private final byte[] token;

  private Identity(String role, byte[] token) {
    this.role = role;
    this.token = token;
  }

  /** Returns the identity for a role name and password under PLAIN (RFC 4616). */
  public static Identity plain(String role, String password) {
    return new Identity(role, ("\0" + role + "\0" + password).getBytes(StandardCharsets.UTF_8));
  }

  /**
   * Reads a client's SASL token as PLAIN.
   *
   * @return null when the token has another form and so cannot be replayed
   */
  public static @Nullable Identity ofSaslToken(ByteBuffer token) {
    byte[] bytes = new byte[token.remaining()];
    token.duplicate().get(bytes);
    int first = indexOfNul(bytes, 0);
    int second = first < 0 ? -1 : indexOfNul(bytes, first + 1);
    if (second < 0 || indexOfNul(bytes, second + 1) >= 0 || second == first + 1) {
      return null;
    }
    String role = new String(bytes, first + 1, second - first - 1, StandardCharsets.UTF_8);
    return new Identity(role, bytes);
  }

  private static int indexOfNul(byte[] bytes, int from) {
    for (int i = from; i < bytes.length; i++) {
      if (bytes[i] == 0) {
        return i;
      }
    }
    return -1;
  }

  /** Returns the role's name, for logs and metrics. */
  public String role() {
    return role;
  }

  byte[] token() {
    return token;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Identity that
        && role.equals(that.role)
        && MessageDigest.isEqual(token, that.token);
  }

  @Override
  public int hashCode() {
    return role.hashCode();
  }

  @Override
  public String toString() {
    return role;
  }
}
