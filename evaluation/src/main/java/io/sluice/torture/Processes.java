package io.sluice.torture;

import java.net.InetSocketAddress;

/** The nodes and proxies of a run, as the targets of faults. Nodes count from 0 on. */
interface Processes {
  /** Returns the kind of process that clients are connected to. */
  Fault.Place targets();

  /** Returns the address of the node for clients. */
  InetSocketAddress address(int node);

  void kill(int node);

  /** Starts the node, and waits until it serves and all nodes see each other. */
  void restart(int node) throws InterruptedException;

  void pause(int node);

  void resume(int node) throws InterruptedException;

  /** Resumes a paused node without waiting. */
  void resumeAtOnce(int node);

  /** Lets the other nodes take this node for down, while it keeps serving its clients. */
  void cutGossip(int node);

  void restoreGossip(int node) throws InterruptedException;

  void closeToClients(int node);

  void openToClients(int node) throws InterruptedException;

  /** Adds a node, and waits until it serves and all nodes see it. Returns its number. */
  int join() throws InterruptedException;

  /**
   * Decommissions a node, and waits until it has streamed its data to the others and they see each
   * other.
   */
  void decommission(int node) throws InterruptedException;

  Proxies proxies();

  /** Waits until every node serves and sees all others. */
  void awaitWholeRing() throws InterruptedException;

  /**
   * Waits until every node is up and all have the same schema. A node that was down during a change
   * may request the schema up to a minute after its restart.
   */
  void awaitOneSchema() throws InterruptedException;
}
