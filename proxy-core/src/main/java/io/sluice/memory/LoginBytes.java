package io.sluice.memory;

/**
 * The bytes of one connection before its login, as a part of the limit of all such connections. Not
 * safe for several threads: its client's lane.
 */
final class LoginBytes {

  /** The bytes of all connections before login. */
  @FunctionalInterface
  interface Total {

    /** Adds bytes, negative to remove them, and returns whether the total keeps its limit. */
    boolean add(long bytes);
  }

  private final Total all;
  private long bytes;
  private boolean over;

  /** Creates a part of 0 bytes. */
  LoginBytes(Total all) {
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
    return all.add(change);
  }

  /** Whether the connection has logged in. */
  boolean isOver() {
    return over;
  }

  /** Exempts the connection from the limit after its login. */
  void end() {
    all.add(-bytes);
    bytes = 0;
    over = true;
  }
}
