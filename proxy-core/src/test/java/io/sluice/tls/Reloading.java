package io.sluice.tls;

/** Checks the certificate files at once, for tests of other rooms. */
public final class Reloading {

  private Reloading() {}

  /** Checks the files once. */
  public static void now(Tls tls) {
    if (!tls.refresh()) {
      throw new AssertionError("the files are as before");
    }
  }
}
