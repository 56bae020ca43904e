package io.sluice.host.join;

import io.sluice.host.jvm.JvmBeans;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Reads a node's mode by JMX, and reconnects after a lost connection. Not safe for several threads.
 */
final class JmxNode implements NodeMode {
  private static final String BEAN = "org.apache.cassandra.db:type=StorageService";

  private final long pid;
  private final @Nullable String port;
  private @Nullable JvmBeans beans;

  /**
   * Creates an object for the node in the process with that id.
   *
   * @param port host and port of its JMX; null to attach to the process
   */
  JmxNode(long pid, @Nullable String port) {
    this.pid = pid;
    this.port = port;
  }

  @Override
  public Reading now() {
    try {
      // The bean appears late in the start of a node.
      return new Reading(connected().attribute(BEAN, "OperationMode"), "");
    } catch (IOException | RuntimeException e) {
      close();
      return Reading.failed(String.valueOf(e.getMessage()));
    }
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
        // The node has ended, and its connection with it.
        return;
      }
    }
  }
}
