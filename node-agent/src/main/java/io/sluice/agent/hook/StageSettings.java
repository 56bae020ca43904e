package io.sluice.agent.hook;

/** The agent's settings for stages. Immutable. */
public final class StageSettings {
  private final long ageLimitMillis;
  private final boolean nativeTransport;

  /**
   * Creates settings.
   *
   * @param ageLimitMillis time after which a range read may pass point reads
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
