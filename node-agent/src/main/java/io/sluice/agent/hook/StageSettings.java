package io.sluice.agent.hook;

/** The settings of the agent for stages. Immutable. */
public final class StageSettings {
  private final long ageLimitMillis;
  private final boolean nativeTransport;

  /**
   * @param ageLimitMillis how long a range read waits before it may pass point reads
   * @param nativeTransport whether Native-Transport-Requests is ordered too
   */
  public StageSettings(long ageLimitMillis, boolean nativeTransport) {
    this.ageLimitMillis = ageLimitMillis;
    this.nativeTransport = nativeTransport;
  }

  long ageLimitMillis() {
    return ageLimitMillis;
  }

  boolean nativeTransport() {
    return nativeTransport;
  }
}
