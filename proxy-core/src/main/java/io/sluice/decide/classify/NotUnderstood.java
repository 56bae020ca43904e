package io.sluice.decide.classify;

/**
 * Thrown by the parser at text that it does not understand. It has no stack trace and no message,
 * so it costs nothing.
 */
final class NotUnderstood extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private NotUnderstood() {
    super(null, null, false, false);
  }

  static NotUnderstood here() {
    return new NotUnderstood();
  }
}
