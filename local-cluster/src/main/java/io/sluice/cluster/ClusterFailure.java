package io.sluice.cluster;

/** A failure of the local cluster, with a complete message for the user. */
public final class ClusterFailure extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Creates a failure without a cause. */
  public ClusterFailure(String message) {
    super(message);
  }

  /** Creates a failure with the exception that caused it. */
  public ClusterFailure(String message, Throwable cause) {
    super(message, cause);
  }
}
