package io.sluice.agent.hook;

import io.sluice.agent.pin.Pin;
import java.io.IOException;
import java.util.Map;

/** The JMX bean of {@code pin}. Safe for any thread. */
final class PinBean implements PinMXBean {
  private final Pin pin;

  PinBean(Pin pin) {
    this.pin = pin;
  }

  @Override
  public boolean isEnabled() {
    return pin.isEnabled();
  }

  @Override
  public void setEnabled(boolean enabled) {
    pin.setEnabled(enabled);
    AgentLog.info("pinning was switched " + (enabled ? "on" : "off"));
  }

  @Override
  public String getMode() {
    return pin.mode();
  }

  @Override
  public long getBudgetBytes() {
    return pin.budgetBytes();
  }

  @Override
  public void setBudgetBytes(long bytes) {
    if (bytes < 0) {
      throw new IllegalArgumentException("the budget can be 0 or more bytes, not " + bytes);
    }
    pin.setBudgetBytes(bytes);
    AgentLog.info("the budget of pinned files was set to " + bytes + " bytes");
  }

  @Override
  public long getAllowedBytes() {
    return pin.allowedBytes();
  }

  @Override
  public long getWantedBytes() {
    return pin.wantedBytes();
  }

  @Override
  public long getPinnedBytes() {
    return pin.heldBytes();
  }

  @Override
  public int getPinnedFiles() {
    return pin.heldFiles();
  }

  @Override
  public Map<String, Long> getPinnedBytesByTable() {
    return pin.heldBytesByTable();
  }

  @Override
  public double getResidentShare() throws IOException {
    long held = pin.heldBytes();
    long resident = pin.residentBytes();
    if (resident < 0) {
      return -1;
    }
    return held == 0 ? 1 : Math.min(1, (double) resident / held);
  }

  @Override
  public long getShortages() {
    return pin.shortages();
  }

  @Override
  public String getReport() throws IOException {
    return "enabled="
        + isEnabled()
        + " mode="
        + getMode()
        + " budget="
        + getBudgetBytes()
        + " allowed="
        + getAllowedBytes()
        + " wanted="
        + getWantedBytes()
        + " pinned="
        + getPinnedBytes()
        + " files="
        + getPinnedFiles()
        + " residentShare="
        + getResidentShare()
        + " shortages="
        + getShortages();
  }
}
