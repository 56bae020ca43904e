package io.sluice.decide.classify;

/**
 * Leaves the parser where the text is not what it knows. Costs nothing: no stack trace, no text.
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
