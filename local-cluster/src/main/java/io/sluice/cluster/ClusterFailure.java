package io.sluice.cluster;

/** Something about the local cluster that a person has to read; the message is complete. */
public final class ClusterFailure extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** A failure with nothing behind it. */
  public ClusterFailure(String message) {
    super(message);
  }

  /** A failure with the exception that led to it. */
  public ClusterFailure(String message, Throwable cause) {
    super(message, cause);
  }
}
