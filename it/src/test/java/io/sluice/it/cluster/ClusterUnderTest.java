package io.sluice.it.cluster;

import java.net.InetSocketAddress;
import java.util.List;
import java.util.Set;

/**
 * Nodes with a proxy before them, ended with this JVM. What a cluster has no {@link Capability} for
 * throws UnsupportedOperationException.
 */
public interface ClusterUnderTest {

  /** What can be done to it. */
  Set<Capability> capabilities();

  /** The nodes, in the order of their numbers. */
  List<? extends Node> nodes();

  /** One node, from 0 on. */
  default Node node(int index) {
    return nodes().get(index);
  }

  /** Starts a proxy before the nodes and answers where it listens. Called once. */
  InetSocketAddress startProxy();

  /** One node. */
  interface Node {
    /** Where this JVM reaches it with CQL. */
    InetSocketAddress address();

    /** Ends it at once, as a power cut would; its data stays. */
    default void kill() {
      throw new UnsupportedOperationException();
    }

    /** Ends it in order; its data stays. */
    default void stop() {
      throw new UnsupportedOperationException();
    }

    /** Starts a node that is down and waits until it serves; does nothing to one that is up. */
    default void start() {
      throw new UnsupportedOperationException();
    }

    /** Stops it in order, starts it again and waits until it serves. */
    default void restart() {
      stop();
      start();
    }

    /** Freezes it; connections stay open and silent. */
    default void pause() {
      throw new UnsupportedOperationException();
    }

    /** Lets a paused node go on; does nothing to one that runs. */
    default void resume() {
      throw new UnsupportedOperationException();
    }

    /** Takes it off the network: nothing arrives, nothing is refused. */
    default void isolate() {
      throw new UnsupportedOperationException();
    }

    /** Puts an isolated node back where it was; does nothing to one that is there. */
    default void rejoin() {
      throw new UnsupportedOperationException();
    }

    /** Writes the memtables of a keyspace to disk. */
    default void flush(String keyspace) {
      throw new UnsupportedOperationException();
    }

    /** Counts the node's tables anew, so that {@code system.table_estimates} is true now. */
    default void refreshEstimates() {
      throw new UnsupportedOperationException();
    }

    /** What it has logged. */
    default String logs() {
      throw new UnsupportedOperationException();
    }
  }
}
