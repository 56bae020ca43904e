package io.sluice.memory;

import java.util.function.LongPredicate;

/**
 * The bytes of one connection before its login, as a part of the limit of all such connections. Not
 * safe for several threads: its client's lane.
 */
final class LoginBytes {

  private final LongPredicate all;
  private long bytes;
  private boolean over;

  /**
   * Creates a part of 0 bytes.
   *
   * @param all adds to the bytes of all connections before login; whether they keep their limit
   */
  LoginBytes(LongPredicate all) {
    this.all = all;
  }

  /**
   * Sets the bytes that the connection holds now.
   *
   * @return whether all connections before login together keep their limit; true after the login
   */
  boolean fits(long now) {
    if (over) {
      return true;
    }
    long change = now - bytes;
    bytes = now;
    return all.test(change);
  }

  /** Exempts the connection from the limit after its login. */
  void end() {
    all.test(-bytes);
    bytes = 0;
    over = true;
  }
}
