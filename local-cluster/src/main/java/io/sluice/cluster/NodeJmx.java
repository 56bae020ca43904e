package io.sluice.cluster;

import com.sun.tools.attach.AttachNotSupportedException;
import com.sun.tools.attach.VirtualMachine;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import javax.management.JMException;
import javax.management.ObjectName;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;

/** Calls a node's management beans through a local port that its JVM opens. Stateless. */
final class NodeJmx {
  private static final String STORAGE_SERVICE = "org.apache.cassandra.db:type=StorageService";

  private NodeJmx() {}

  /** Connects to the process with that id. */
  // The URL is not user input: the node's own JVM returns it.
  @SuppressWarnings("BanJNDI")
  static JMXConnector connect(long pid) throws IOException {
    try {
      VirtualMachine machine = VirtualMachine.attach(Long.toString(pid));
      try {
        return JMXConnectorFactory.connect(new JMXServiceURL(machine.startLocalManagementAgent()));
      } finally {
        machine.detach();
      }
    } catch (AttachNotSupportedException e) {
      throw new IOException("process " + pid + " cannot be attached to", e);
    }
  }

  /** Makes the JVM with that process id collect its garbage, and waits for the end. */
  static void collectGarbage(long pid) {
    invoke(pid, ManagementFactory.MEMORY_MXBEAN_NAME, "gc", new Object[0], new String[0]);
  }

  /** Calls an operation of the node with that process id and waits for its end. */
  static void storageService(long pid, String operation, Object[] arguments, String[] types) {
    invoke(pid, STORAGE_SERVICE, operation, arguments, types);
  }

  private static void invoke(
      long pid, String bean, String operation, Object[] arguments, String[] types) {
    try (JMXConnector connector = connect(pid)) {
      connector
          .getMBeanServerConnection()
          .invoke(new ObjectName(bean), operation, arguments, types);
    } catch (IOException | JMException e) {
      throw new ClusterFailure(
          "process " + pid + " failed to run " + operation + ": " + e.getMessage(), e);
    }
  }
}
