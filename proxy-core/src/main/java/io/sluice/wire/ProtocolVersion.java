package io.sluice.wire;

/** The versions of the native protocol that Sluice speaks. */
public final class ProtocolVersion {

  public static final int MIN = 3;
  public static final int MAX = 5;

  /** The first version whose responses have warnings. */
  public static final int WARNINGS = 4;

  /** The first version whose frames have a custom payload. */
  public static final int CUSTOM_PAYLOAD = 4;

  /** The first version in which a node can continue after any row, by a paging state made of it. */
  public static final int ROW_MARKS = 4;

  /** The first version that says which variables of a statement are the partition key. */
  static final int KEY_VARIABLES = 4;

  /** The first version whose schema changes name functions and aggregates. */
  static final int FUNCTIONS = 4;

  /** The first version that uses checksummed segments after the handshake. */
  public static final int SEGMENTS = 5;

  /** The first version in which an id names the result metadata of a prepared statement. */
  public static final int RESULT_METADATA_ID = 5;

  /** The first version in which a PREPARE can name its keyspace. */
  static final int PREPARE_KEYSPACE = 5;

  /** The first version in which the flags of a request have four bytes instead of one. */
  static final int INT_FLAGS = 5;

  private ProtocolVersion() {}

  /** Whether frames of {@code version} can be served. */
  public static boolean isSupported(int version) {
    return version >= MIN && version <= MAX;
  }
}
