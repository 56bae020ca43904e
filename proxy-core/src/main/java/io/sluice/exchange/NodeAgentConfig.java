package io.sluice.exchange;

/**
 * The settings under {@code nodeAgent}.
 *
 * @param hints whether nodes that have Sluice's agent are told with a range read how much the whole
 *     of it takes
 */
public record NodeAgentConfig(boolean hints) {

  /** What is right unless an operator knows better. */
  public static NodeAgentConfig defaults() {
    return new NodeAgentConfig(true);
  }
}
