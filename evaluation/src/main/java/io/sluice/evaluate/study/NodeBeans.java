package io.sluice.evaluate.study;

import io.sluice.cluster.ClusterFailure;
import io.sluice.cluster.LocalNode;
import java.io.IOException;
import javax.management.Attribute;
import javax.management.JMException;
import javax.management.ObjectName;
import javax.management.remote.JMXConnector;

/** A JMX connection to one node. Not safe for several threads. */
final class NodeBeans implements AutoCloseable {
  private final JMXConnector connector;

  NodeBeans(JMXConnector connector) {
    this.connector = connector;
  }

  static NodeBeans of(LocalNode node) {
    try {
      return new NodeBeans(node.jmx());
    } catch (IOException e) {
      throw failure(node.toString(), e);
    }
  }

  /** Disables automatic compaction of a keyspace's tables. */
  void disableCompaction(String keyspace) {
    invoke(
        "org.apache.cassandra.db:type=StorageService",
        "disableAutoCompaction",
        new Object[] {keyspace, new String[0]},
        String.class.getName(),
        String[].class.getName());
  }

  long number(String bean, String attribute) {
    return ((Number) get(bean, attribute)).longValue();
  }

  Object get(String bean, String attribute) {
    try {
      return connector.getMBeanServerConnection().getAttribute(new ObjectName(bean), attribute);
    } catch (IOException | JMException e) {
      throw failure(bean, e);
    }
  }

  void set(String bean, String attribute, Object value) {
    try {
      connector
          .getMBeanServerConnection()
          .setAttribute(new ObjectName(bean), new Attribute(attribute, value));
    } catch (IOException | JMException e) {
      throw failure(bean, e);
    }
  }

  /** Whether the bean is registered. */
  boolean has(String bean) {
    try {
      return connector.getMBeanServerConnection().isRegistered(new ObjectName(bean));
    } catch (IOException | JMException e) {
      throw failure(bean, e);
    }
  }

  private void invoke(String bean, String operation, Object[] arguments, String... types) {
    try {
      connector
          .getMBeanServerConnection()
          .invoke(new ObjectName(bean), operation, arguments, types);
    } catch (IOException | JMException e) {
      throw failure(bean, e);
    }
  }

  private static ClusterFailure failure(String what, Exception e) {
    return new ClusterFailure(what + " cannot be reached by JMX: " + e.getMessage(), e);
  }

  @Override
  public void close() {
    try {
      connector.close();
    } catch (IOException e) {
      // The node has ended, and its connection with it.
      return;
    }
  }
}
