package io.sluice.agent.hook;

import io.sluice.agent.join.Join;

/** The room {@code join}, as JMX shows it. Safe for any thread. */
final class JoinBean implements JoinMXBean {
  private final Join join;

  JoinBean(Join join) {
    this.join = join;
  }

  @Override
  public boolean isEnabled() {
    return join.isEnabled();
  }

  @Override
  public void setEnabled(boolean enabled) {
    join.setEnabled(enabled);
    AgentLog.info("the deferral of syncs was switched " + (enabled ? "on" : "off"));
  }

  @Override
  public long getSyncsPutOff() {
    return join.syncsPutOff();
  }

  @Override
  public long getFilesSynced() {
    return join.filesSynced();
  }

  @Override
  public long getBytesSynced() {
    return join.bytesSynced();
  }

  @Override
  public int getFilesWaiting() {
    return join.filesWaiting();
  }

  @Override
  public long getBarriers() {
    return join.barriers();
  }

  @Override
  public long getBarrierMillis() {
    return join.barrierMillis();
  }

  @Override
  public long getLongestBarrierMillis() {
    return join.longestBarrierMillis();
  }

  @Override
  public int getCompactionsHeld() {
    return join.compactionsHeld();
  }

  @Override
  public String getReport() {
    return "enabled="
        + isEnabled()
        + " syncsPutOff="
        + getSyncsPutOff()
        + " filesSynced="
        + getFilesSynced()
        + " bytesSynced="
        + getBytesSynced()
        + " filesWaiting="
        + getFilesWaiting()
        + " barriers="
        + getBarriers()
        + " barrierMillis="
        + getBarrierMillis()
        + " longestBarrierMillis="
        + getLongestBarrierMillis()
        + " compactionsHeld="
        + getCompactionsHeld();
  }
}
