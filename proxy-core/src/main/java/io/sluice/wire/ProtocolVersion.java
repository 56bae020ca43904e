package io.sluice.wire;

/** The versions of the native protocol that Sluice speaks. */
public final class ProtocolVersion {

  public static final int MIN = 3;
  public static final int MAX = 5;

  /** The first version that uses checksummed segments after the handshake. */
  public static final int SEGMENTS = 5;

  private ProtocolVersion() {}

  /** Whether frames of {@code version} can be served. */
  public static boolean isSupported(int version) {
    return version >= MIN && version <= MAX;
  }
}
