package io.sluice.agent.hook;

import io.sluice.agent.pin.Pin;
import io.sluice.agent.pin.PinNode;
import java.lang.management.ManagementFactory;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import javax.management.StandardMBean;
import org.jspecify.annotations.Nullable;

/** Access to the node through its MBeans, for {@code pin}. Safe for any thread. */
final class PinBeans implements PinNode {
  private static final String BEAN = "io.sluice:type=Pin";
  private static final String STORAGE = "org.apache.cassandra.db:type=StorageService";

  private final MBeanServer server = ManagementFactory.getPlatformMBeanServer();

  @Override
  public boolean isUp() {
    try {
      ObjectName storage = new ObjectName(STORAGE);
      boolean up =
          server.isRegistered(storage)
              && Boolean.TRUE.equals(server.getAttribute(storage, "Initialized"));
      if (up) {
        AgentLog.cassandraIsUp();
      }
      return up;
    } catch (JMException e) {
      return false;
    }
  }

  @Override
  public void begins(Pin pin) throws JMException {
    server.registerMBean(
        new StandardMBean(new PinBean(pin), PinMXBean.class, true), new ObjectName(BEAN));
  }

  @Override
  public void ended(@Nullable String why, @Nullable Throwable cause) {
    if (why != null) {
      AgentLog.warn("index files are not kept in memory, " + why, cause);
    }
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
  public Map<String, Long> reads(Set<String> tables) {
    Map<String, Long> reads = new HashMap<>();
    for (String each : tables) {
      reads.put(each, reads(each));
    }
    return reads;
  }

  /**
   * Returns the reads of a table. A secondary index has the name {@code ks.table.index}, and
   * metrics of another type.
   */
  private long reads(String table) {
    String[] names = table.split("\\.", 2);
    try {
      ObjectName metric =
          new ObjectName(
              "org.apache.cassandra.metrics:type="
                  + (names[1].indexOf('.') < 0 ? "Table" : "IndexTable")
                  + ",keyspace="
                  + names[0]
                  + ",scope="
                  + names[1]
                  + ",name=ReadLatency");
      Object count = server.getAttribute(metric, "Count");
      return count instanceof Number ? ((Number) count).longValue() : 0;
    } catch (JMException e) {
      return 0;
    }
  }

  @Override
  public long nanos() {
    return System.nanoTime();
  }
}
