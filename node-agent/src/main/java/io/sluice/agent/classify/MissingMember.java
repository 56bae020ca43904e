package io.sluice.agent.classify;

/** This version of Cassandra does not have what the agent looks for. Carries no stack trace. */
final class MissingMember extends ReflectiveOperationException {
  private static final long serialVersionUID = 1L;

  private MissingMember(String name) {
    super(name);
  }

  static MissingMember of(String name) {
    return new MissingMember(name);
  }

  /** It can happen once for each read: a trace would cost more than the read. */
  @Override
  public synchronized Throwable fillInStackTrace() {
    return this;
  }
}
