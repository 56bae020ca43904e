package io.sluice.cluster;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import javax.management.remote.JMXConnector;

/** One node of a local cluster: its process, its log, and what can be done to it. */
public final class LocalNode {
  private final NodeProcess process;
  private final LocalCluster cluster;

  LocalNode(NodePlan plan, LocalCluster cluster) {
    this.process = new NodeProcess(plan);
    this.cluster = cluster;
  }

  /** Its number, from 0 on. */
  public int index() {
    return process.plan().index();
  }

  /** Where it listens for CQL. */
  public InetSocketAddress address() {
    return process.plan().address();
  }

  /** Its process id, or -1 if it was never started. */
  public long pid() {
    return process.pid();
  }

  /** Whether its process runs (a paused one does). */
  public boolean alive() {
    return process.alive();
  }

  /** Whether it is frozen by {@link #pause}. */
  public boolean paused() {
    return process.paused();
  }

  /** Its folder: configuration, data, log. */
  public Path dir() {
    return process.plan().dir();
  }

  /** Its log. */
  public Path log() {
    return process.plan().log();
  }

  /** The last lines of its log, oldest first. */
  public List<String> logTail(int lines) {
    return LogTail.lines(log(), lines);
  }

  /** Freezes the process; connections stay open and silent. */
  public void pause() {
    process.pause();
  }

  /** Lets a paused process go on. */
  public void resume() {
    process.resume();
  }

  /** Closes its clients' connections and takes no new ones; the other nodes notice nothing. */
  public void closeToClients() {
    NodeJmx.storageService(pid(), "stopNativeTransport", new Object[0], new String[0]);
  }

  /** Takes clients' connections again. */
  public void openToClients() {
    NodeJmx.storageService(pid(), "startNativeTransport", new Object[0], new String[0]);
  }

  /** Tells the other nodes that it goes, which take it for down; it serves its clients on. */
  public void stopGossip() {
    NodeJmx.storageService(pid(), "stopGossiping", new Object[0], new String[0]);
  }

  /** Is a peer of the other nodes again. */
  public void startGossip() {
    NodeJmx.storageService(pid(), "startGossiping", new Object[0], new String[0]);
  }

  /** Ends the process at once, as a power cut would; its data stays. */
  public void kill() {
    process.kill();
  }

  /** Ends the process in order; its data stays. */
  public void stop() {
    process.stop();
  }

  /** Starts a node that is down and waits until it serves; does nothing to one that is up. */
  public void start() {
    if (!alive()) {
      cluster.launch(process);
      cluster.awaitServing(this);
    }
  }

  /** Stops it in order, starts it again and waits until it serves. */
  public void restart() {
    stop();
    start();
  }

  /** Connects to its management beans; the connection is the caller's to close. */
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

  /** Counts the node's tables anew, so that {@code system.table_estimates} is true now. */
  public void refreshEstimates() {
    NodeJmx.storageService(pid(), "refreshSizeEstimates", new Object[0], new String[0]);
  }

  /** Collects the garbage in its heap; when this returns, it is done. */
  public void collectGarbage() {
    NodeJmx.collectGarbage(pid());
  }

  /** Hands its data to the others, leaves the ring, and ends. */
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
