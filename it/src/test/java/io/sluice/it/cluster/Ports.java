package io.sluice.it.cluster;

/**
 * The ports of this JVM's nodes. Each JVM of the test run has its own, so that several can run side
 * by side.
 */
public final class Ports {
  private static final int EACH_JVM = 1_000;
  private static final int OF_JVM = EACH_JVM * (Integer.getInteger("sluice.it.fork", 1) - 1);

  /** The first native port. */
  public static final int NATIVE = Integer.getInteger("sluice.it.port", 22_042) + OF_JVM;

  /** The first storage port. */
  public static final int STORAGE = Integer.getInteger("sluice.it.storagePort", 28_000) + OF_JVM;

  private Ports() {}
}
