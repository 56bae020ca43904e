package io.sluice.agent.classify;

/** Thrown when this version of Cassandra lacks an expected member. Has no stack trace. */
final class MissingMember extends ReflectiveOperationException {
  private static final long serialVersionUID = 1L;

  private MissingMember(String name) {
    super(name);
  }

  static MissingMember of(String name) {
    return new MissingMember(name);
  }

  /**
   * Skips the stack trace. The exception may occur for each read, and a trace would cost more than
   * the read.
   */
  @Override
  public synchronized Throwable fillInStackTrace() {
    return this;
  }
}
