package io.sluice.evaluate.disk;

/** A disk that cannot be created, with a complete message for the user. */
public final class DiskFailure extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Creates a failure without a cause. */
  public DiskFailure(String message) {
    super(message);
  }

  DiskFailure(String message, Throwable cause) {
    super(message, cause);
  }
}
