package io.sluice.host.join;

import java.io.Closeable;
import java.util.Optional;

/** Reads the mode of a node by JMX. */
interface NodeMode extends Closeable {

  /** Returns the mode, such as {@code JOINING}; empty if it is not available. */
  Optional<String> now();

  /** Whether the node's process is alive. */
  boolean alive();

  @Override
  void close();
}
