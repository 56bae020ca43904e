package io.sluice.host.join;

import io.sluice.host.jvm.JvmBeans;
import java.io.IOException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A node's mode by JMX; it connects again where a connection is lost. Not safe for several threads.
 */
final class JmxNode implements NodeMode {
  private static final String BEAN = "org.apache.cassandra.db:type=StorageService";

  private final long pid;
  private final @Nullable String port;
  private @Nullable JvmBeans beans;
  private String trouble = "";

  /**
   * The node in the process with that id.
   *
   * @param port host and port of its JMX; null to attach to the process instead
   */
  JmxNode(long pid, @Nullable String port) {
    this.pid = pid;
    this.port = port;
  }

  @Override
  public Optional<String> now() {
    try {
      // The bean comes late in a node's start.
      Optional<String> mode = connected().attribute(BEAN, "OperationMode");
      trouble = "";
      return mode;
    } catch (IOException | RuntimeException e) {
      trouble = String.valueOf(e.getMessage());
      close();
      return Optional.empty();
    }
  }

  /** Why the node could not be asked the last time; empty if it could. */
  String trouble() {
    return trouble;
  }

  private JvmBeans connected() throws IOException {
    JvmBeans open = beans;
    if (open == null) {
      open = port == null ? JvmBeans.ofProcess(pid) : JvmBeans.atPort(port);
      beans = open;
    }
    return open;
  }

  @Override
  public boolean alive() {
    return ProcessHandle.of(pid).filter(ProcessHandle::isAlive).isPresent();
  }

  @Override
  public void close() {
    JvmBeans open = beans;
    beans = null;
    if (open != null) {
      try {
        open.close();
      } catch (IOException e) {
        // The node has ended; so has its connection.
        trouble = String.valueOf(e.getMessage());
      }
    }
  }
}
