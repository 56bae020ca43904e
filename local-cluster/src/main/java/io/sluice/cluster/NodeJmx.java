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

/** A node's management beans; its JVM opens a local port for them. */
final class NodeJmx {
  private static final String STORAGE_SERVICE = "org.apache.cassandra.db:type=StorageService";

  private NodeJmx() {}

  /** A connection to the process with that id. */
  // The URL is not user input: the node's own JVM has just handed it to us.
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

  /** Has the JVM with that process id collect its garbage, and waits for it to end. */
  static void collectGarbage(long pid) {
    invoke(pid, ManagementFactory.MEMORY_MXBEAN_NAME, "gc", new Object[0], new String[0]);
  }

  /** Calls one operation of the node with that process id and waits for it to end. */
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
          "process " + pid + " did not do " + operation + ": " + e.getMessage(), e);
    }
  }
}
