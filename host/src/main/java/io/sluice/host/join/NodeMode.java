package io.sluice.host.join;

import java.io.Closeable;
import java.util.Optional;

/** The mode that a node is in, as it tells by JMX. */
interface NodeMode extends Closeable {

  /** The mode, such as {@code JOINING}; empty while the node does not tell. */
  Optional<String> now();

  /** Whether its process lives. */
  boolean alive();

  @Override
  void close();
}
