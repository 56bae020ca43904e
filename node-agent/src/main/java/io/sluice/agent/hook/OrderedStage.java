package io.sluice.agent.hook;

import io.sluice.agent.queue.Priority;
import io.sluice.agent.queue.QueueReport;
import io.sluice.agent.queue.ReadQueue;
import java.lang.management.ManagementFactory;
import java.util.concurrent.TimeUnit;
import javax.management.JMException;
import javax.management.ObjectName;
import javax.management.StandardMBean;

/** The JMX bean of a stage that the agent orders. Safe for any thread. */
final class OrderedStage implements ReadStageMBean {
  private static final long LONGEST_MILLIS = TimeUnit.HOURS.toMillis(1);

  private final ReadQueue queue;

  OrderedStage(ReadQueue queue) {
    this.queue = queue;
  }

  /** Registers the bean as {@code io.sluice:type=...}. */
  void register(String type) throws JMException {
    ManagementFactory.getPlatformMBeanServer()
        .registerMBean(
            new StandardMBean(this, ReadStageMBean.class),
            new ObjectName("io.sluice:type=" + type));
  }

  @Override
  public boolean isEnabled() {
    return queue.isEnabled();
  }

  @Override
  public void setEnabled(boolean enabled) {
    queue.setEnabled(enabled);
    AgentLog.info("ordering was switched " + (enabled ? "on" : "off"));
  }

  @Override
  public long getAgeLimitMillis() {
    return TimeUnit.NANOSECONDS.toMillis(queue.ageLimitNanos());
  }

  @Override
  public void setAgeLimitMillis(long millis) {
    if (millis < 1 || millis > LONGEST_MILLIS) {
      throw new IllegalArgumentException(
          "the age limit can be 1 to " + LONGEST_MILLIS + " ms, not " + millis);
    }
    queue.setAgeLimitNanos(TimeUnit.MILLISECONDS.toNanos(millis));
    AgentLog.info("the age limit was set to " + millis + " ms");
  }

  @Override
  public int getQueuedLocalPoints() {
    return queue.report().queued(Priority.LOCAL_POINT);
  }

  @Override
  public int getQueuedRemotePoints() {
    return queue.report().queued(Priority.REMOTE_POINT);
  }

  @Override
  public int getQueuedRanges() {
    return queue.report().queued(Priority.RANGE);
  }

  @Override
  public long getOvertakes() {
    return queue.report().overtakes();
  }

  @Override
  public long getAged() {
    return queue.report().aged();
  }

  @Override
  public long getExpired() {
    return queue.report().expired();
  }

  @Override
  public long getUnknown() {
    return queue.report().unknown();
  }

  @Override
  public long getWidthsTold() {
    return queue.report().widthsTold();
  }

  @Override
  public String getReport() {
    QueueReport now = queue.report();
    return "enabled="
        + queue.isEnabled()
        + " queuedLocalPoints="
        + now.queued(Priority.LOCAL_POINT)
        + " queuedRemotePoints="
        + now.queued(Priority.REMOTE_POINT)
        + " queuedRanges="
        + now.queued(Priority.RANGE)
        + " overtakes="
        + now.overtakes()
        + " aged="
        + now.aged()
        + " expired="
        + now.expired()
        + " unknown="
        + now.unknown()
        + " widthsTold="
        + now.widthsTold()
        + " ageLimitMillis="
        + getAgeLimitMillis();
  }
}
