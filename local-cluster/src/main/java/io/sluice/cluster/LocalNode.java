package io.sluice.cluster;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import javax.management.remote.JMXConnector;

/** A node of a local cluster: its process, its log, and operations on it. */
public final class LocalNode {
  private final NodeProcess process;
  private final LocalCluster cluster;

  LocalNode(NodePlan plan, LocalCluster cluster) {
    this.process = new NodeProcess(plan);
    this.cluster = cluster;
  }

  /** Returns its number, from 0. */
  public int index() {
    return process.plan().index();
  }

  /** Returns the address at which it listens for CQL. */
  public InetSocketAddress address() {
    return process.plan().address();
  }

  /** Returns its process id, or -1 if it was never started. */
  public long pid() {
    return process.pid();
  }

  /** Whether its process exists; a paused process does. */
  public boolean alive() {
    return process.alive();
  }

  /** Whether {@link #pause} has paused it. */
  public boolean paused() {
    return process.paused();
  }

  /** Returns its folder: configuration, data, log. */
  public Path dir() {
    return process.plan().dir();
  }

  /** Returns its log file. */
  public Path log() {
    return process.plan().log();
  }

  /** Returns the last lines of its log, oldest first. */
  public List<String> logTail(int lines) {
    return LogTail.lines(log(), lines);
  }

  /** Pauses the process. Its connections stay open and silent. */
  public void pause() {
    process.pause();
  }

  /** Resumes a paused process. */
  public void resume() {
    process.resume();
  }

  /** Closes its clients' connections and accepts no new ones. The other nodes do not notice. */
  public void closeToClients() {
    NodeJmx.storageService(pid(), "stopNativeTransport", new Object[0], new String[0]);
  }

  /** Accepts clients' connections again. */
  public void openToClients() {
    NodeJmx.storageService(pid(), "startNativeTransport", new Object[0], new String[0]);
  }

  /**
   * Announces its shutdown to the other nodes, which then mark it down. It still serves its
   * clients.
   */
  public void stopGossip() {
    NodeJmx.storageService(pid(), "stopGossiping", new Object[0], new String[0]);
  }

  /** Rejoins the gossip of the other nodes. */
  public void startGossip() {
    NodeJmx.storageService(pid(), "startGossiping", new Object[0], new String[0]);
  }

  /** Kills the process, like a power failure. Its data stays. */
  public void kill() {
    process.kill();
  }

  /** Stops the process cleanly. Its data stays. */
  public void stop() {
    process.stop();
  }

  /** Starts a node that is down and waits until it serves. Does nothing to a node that is up. */
  public void start() {
    if (!alive()) {
      cluster.launch(process);
      cluster.awaitServing(this);
    }
  }

  /** Stops it cleanly, starts it again and waits until it serves. */
  public void restart() {
    stop();
    start();
  }

  /** Connects to its management beans. The caller closes the connection. */
  public JMXConnector jmx() throws IOException {
    return NodeJmx.connect(pid());
  }

  /** Writes the memtables of a keyspace to disk. */
  public void flush(String keyspace) {
    NodeJmx.storageService(
        pid(),
        "forceKeyspaceFlush",
        new Object[] {keyspace, new String[0]},
        new String[] {String.class.getName(), String[].class.getName()});
  }

  /** Recomputes the node's estimates, so that {@code system.table_estimates} is up to date. */
  public void refreshEstimates() {
    NodeJmx.storageService(pid(), "refreshSizeEstimates", new Object[0], new String[0]);
  }

  /** Collects the garbage in its heap. Returns when that is done. */
  public void collectGarbage() {
    NodeJmx.collectGarbage(pid());
  }

  /** Moves its data to the other nodes, leaves the ring, and ends. */
  public void decommission() {
    NodeJmx.storageService(
        pid(), "decommission", new Object[] {true}, new String[] {boolean.class.getName()});
    stop();
  }

  @Override
  public String toString() {
    return process.plan().name();
  }

  NodeProcess process() {
    return process;
  }
}
