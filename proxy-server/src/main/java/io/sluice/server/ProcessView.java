package io.sluice.server;

import io.sluice.console.HostView;
import io.sluice.console.LogLine;
import io.sluice.console.Setting;
import java.util.List;

/**
 * The facts about this process that {@code system_proxy} shows.
 *
 * @param settings the settings in effect
 * @param warnings what its log got
 */
record ProcessView(List<Setting> settings, LastWarnings warnings) implements HostView {

  @Override
  public List<LogLine> log() {
    return warnings.lines();
  }
}
