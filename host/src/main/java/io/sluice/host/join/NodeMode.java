package io.sluice.host.join;

import io.sluice.host.jvm.JmxRefused;
import java.io.Closeable;
import java.util.Optional;

/** Reads the mode of a node by JMX. */
interface NodeMode extends Closeable {

  /**
   * Reads the mode. Blocks as long as the node does not answer.
   *
   * @throws JmxRefused if no later read will succeed either; the message says what to do
   */
  Reading now() throws JmxRefused;

  /** Whether the node's process is alive. Does not block. */
  boolean alive();

  @Override
  void close();

  /**
   * What a read has found.
   *
   * @param mode the mode, such as {@code JOINING}; empty if it is not available
   * @param problem why the read failed; empty if it succeeded
   */
  record Reading(Optional<String> mode, String problem) {
    static Reading failed(String problem) {
      return new Reading(Optional.empty(), problem);
    }
  }
}
