package io.sluice.agent.hook;

import io.sluice.agent.join.Join;
import io.sluice.agent.join.JoinNode;
import java.lang.management.ManagementFactory;
import javax.management.AttributeNotFoundException;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import javax.management.StandardMBean;
import org.jspecify.annotations.Nullable;

/** Access to the node through its MBeans, for {@code join}. Safe for any thread. */
final class JoinBeans implements JoinNode {
  private static final String BEAN = "io.sluice:type=Join";
  private static final String STORAGE = "org.apache.cassandra.db:type=StorageService";

  private final MBeanServer server = ManagementFactory.getPlatformMBeanServer();

  @Override
  public boolean isBootstrapping() {
    try {
      return Boolean.TRUE.equals(storage("BootstrapMode")) && !hasAllData();
    } catch (JMException e) {
      return false;
    }
  }

  /**
   * Whether the streams of the bootstrap are over. In 6.0 the bootstrap itself then goes on until
   * the node is NORMAL, which it does not become by itself in write survey mode.
   */
  private boolean hasAllData() throws JMException {
    try {
      return "COMPLETED".equals(storage("BootstrapState"));
    } catch (AttributeNotFoundException e) {
      return false; // in 4.0 and 4.1, where the bootstrap ends with its streams
    }
  }

  private @Nullable Object storage(String attribute) throws JMException {
    return server.getAttribute(new ObjectName(STORAGE), attribute);
  }

  @Override
  public void begins(Join join) throws JMException {
    AgentLog.cassandraIsUp();
    server.registerMBean(
        new StandardMBean(new JoinBean(join), JoinMXBean.class, true), new ObjectName(BEAN));
    AgentLog.info("syncs of streamed files are deferred to the commit of their transaction");
  }

  @Override
  public void ended(String why, @Nullable Throwable cause) {
    AgentLog.cassandraIsUp();
    AgentLog.warn("syncs of streamed files are not deferred, " + why, cause);
    try {
      server.unregisterMBean(new ObjectName(BEAN));
    } catch (JMException e) {
      // The bean was not registered yet.
      return;
    }
  }

  @Override
  public void say(String text) {
    AgentLog.info(text);
  }

  @Override
  public long nanos() {
    return System.nanoTime();
  }
}
