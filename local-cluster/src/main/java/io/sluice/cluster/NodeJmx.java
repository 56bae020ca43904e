package io.sluice.cluster;

import com.sun.tools.attach.AttachNotSupportedException;
import com.sun.tools.attach.VirtualMachine;
import java.io.IOException;
import javax.management.JMException;
import javax.management.ObjectName;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;

/** Calls operations of a node's storage service; the JVM opens a local management port for it. */
final class NodeJmx {
  private static final String STORAGE_SERVICE = "org.apache.cassandra.db:type=StorageService";

  private NodeJmx() {}

  /** Calls one operation of the node with that process id and waits for it to end. */
  // The URL is not user input: the node's own JVM has just handed it to us.
  @SuppressWarnings("BanJNDI")
  static void storageService(long pid, String operation, Object[] arguments, String[] types) {
    try {
      VirtualMachine machine = VirtualMachine.attach(Long.toString(pid));
      String url;
      try {
        url = machine.startLocalManagementAgent();
      } finally {
        machine.detach();
      }
      try (JMXConnector connector = JMXConnectorFactory.connect(new JMXServiceURL(url))) {
        connector
            .getMBeanServerConnection()
            .invoke(new ObjectName(STORAGE_SERVICE), operation, arguments, types);
      }
    } catch (IOException | AttachNotSupportedException | JMException e) {
      throw new ClusterFailure(
          "process " + pid + " did not do " + operation + ": " + e.getMessage(), e);
    }
  }
}
