package io.sluice.host.join;

import io.sluice.host.jvm.JmxRefused;
import io.sluice.host.jvm.JvmBeans;
import io.sluice.host.process.ProcessTable;
import io.sluice.host.process.ProcessTable.HostProcess;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Reads a node's mode by JMX, and reconnects after a lost connection. Not safe for several threads.
 */
final class JmxNode implements NodeMode {
  private static final String BEAN = "org.apache.cassandra.db:type=StorageService";

  private final ProcessTable processes;
  private final long pid;
  private final @Nullable JmxPort port;
  private @Nullable JvmBeans beans;

  /**
   * Creates an object for the node in the process with that id.
   *
   * @param port its JMX port; null to attach to the process
   */
  JmxNode(ProcessTable processes, long pid, @Nullable JmxPort port) {
    this.processes = processes;
    this.pid = pid;
    this.port = port;
  }

  @Override
  public Reading now() throws JmxRefused {
    try {
      // The bean appears late in the start of a node.
      return new Reading(connected().attribute(BEAN, "OperationMode"), "");
    } catch (JmxRefused e) {
      throw new JmxRefused(
          e.subject(), "process " + pid + ": " + e.getMessage() + "; " + remedy(e.subject()), e);
    } catch (IOException | RuntimeException e) {
      close();
      return Reading.failed(String.valueOf(e.getMessage()));
    }
  }

  private String remedy(JmxRefused.Subject subject) {
    if (port == null) {
      return "name the port of its JMX with --jmx";
    }
    String options =
        subject == JmxRefused.Subject.TLS
            ? (port.tls() == null ? "give --jmx-tls" : "check --jmx-tls and --jmx-trust")
            : (port.login() == null ? "give" : "check") + " --jmx-user and --jmx-password-file";
    return options + ", or leave out --jmx to attach to its JVM";
  }

  private JvmBeans connected() throws IOException {
    JvmBeans open = beans;
    if (open == null) {
      open = port == null ? attached() : port.connect();
      beans = open;
    }
    return open;
  }

  private JvmBeans attached() throws IOException {
    List<String> arguments = processes.find(pid).map(HostProcess::arguments).orElse(List.of());
    Optional<String> flag = AttachFlags.forbidding(arguments);
    if (flag.isPresent()) {
      throw new JmxRefused(
          JmxRefused.Subject.ATTACH, "no process can attach to a JVM with " + flag.get());
    }
    return JvmBeans.ofProcess(pid);
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
