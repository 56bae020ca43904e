package io.sluice.exchange;

/**
 * The settings under {@code nodeAgent}.
 *
 * @param hints whether nodes with Sluice's agent get a hint with each range read: the width and
 *     rows of the whole read
 */
public record NodeAgentConfig(boolean hints) {

  /** Returns the default settings. */
  public static NodeAgentConfig defaults() {
    return new NodeAgentConfig(true);
  }
}
