package io.sluice.it.cluster;

import java.net.InetSocketAddress;
import java.util.List;
import java.util.Set;

/**
 * Nodes with a proxy in front, stopped with this JVM. An operation without its {@link Capability}
 * throws UnsupportedOperationException.
 */
public interface ClusterUnderTest {

  /** Returns the supported operations. */
  Set<Capability> capabilities();

  /** Returns the nodes, in the order of their numbers. */
  List<? extends Node> nodes();

  /** Returns a node, from 0 on. */
  default Node node(int index) {
    return nodes().get(index);
  }

  /** Starts a proxy in front of the nodes, and returns its CQL address. Called once. */
  InetSocketAddress startProxy();

  /** One node. */
  interface Node {
    /** Returns the CQL address of the node for this JVM. */
    InetSocketAddress address();

    /**
     * Kills the node at once, as a power cut would. Its data stays. A keyspace that is younger than
     * ten seconds may be lost there: {@link #flushSchema} keeps it.
     */
    default void kill() {
      throw new UnsupportedOperationException();
    }

    /** Stops the node gracefully. Its data stays. */
    default void stop() {
      throw new UnsupportedOperationException();
    }

    /** Starts a node that is down, and waits until it serves. Does nothing if it is up. */
    default void start() {
      throw new UnsupportedOperationException();
    }

    /** Stops the node gracefully, starts it again, and waits until it serves. */
    default void restart() {
      stop();
      start();
    }

    /** Pauses the node. Its connections stay open and silent. */
    default void pause() {
      throw new UnsupportedOperationException();
    }

    /** Resumes a paused node. Does nothing if it runs. */
    default void resume() {
      throw new UnsupportedOperationException();
    }

    /** Takes the node off the network: packets are lost, not refused. */
    default void isolate() {
      throw new UnsupportedOperationException();
    }

    /** Reconnects an isolated node. Does nothing if it is connected. */
    default void rejoin() {
      throw new UnsupportedOperationException();
    }

    /** Flushes the memtables of a keyspace. */
    default void flush(String keyspace) {
      throw new UnsupportedOperationException();
    }

    /**
     * Flushes the schema, which these nodes leave in memory, so that it outlives {@link #kill}.
     * Takes seconds beside a load.
     */
    default void flushSchema() {
      flush("system_schema");
    }

    /** Refreshes the size estimates, so that {@code system.table_estimates} is exact. */
    default void refreshEstimates() {
      throw new UnsupportedOperationException();
    }

    /** Returns the node's log. */
    default String logs() {
      throw new UnsupportedOperationException();
    }
  }
}
