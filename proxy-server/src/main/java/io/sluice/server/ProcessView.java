package io.sluice.server;

import io.sluice.console.HostView;
import io.sluice.console.HostView.Configuration;
import io.sluice.console.HostView.LogLine;
import io.sluice.console.HostView.Setting;
import io.sluice.console.LiveConfig;
import io.sluice.server.settings.LiveSettings;
import io.sluice.server.settings.Reloads;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The facts about this process that {@code system_proxy} shows.
 *
 * @param live the settings in effect
 * @param warnings the last warnings and errors of the log
 * @param reloads the reloads of the configuration file
 */
record ProcessView(LiveSettings live, LastWarnings warnings, Reloads reloads) implements HostView {

  @Override
  public boolean accepts(String key) {
    return live.isLevel(key);
  }

  @Override
  public List<Setting> settings() {
    return live.shown();
  }

  @Override
  public @Nullable String change(
      String key, @Nullable String value, String operator, Consumer<LiveConfig> proxy) {
    return live.change(key, value, operator, proxy);
  }

  @Override
  public void change(
      String key,
      @Nullable String value,
      String operator,
      Consumer<LiveConfig> proxy,
      Consumer<@Nullable String> then) {
    reloads.change(key, value, operator, proxy, then);
  }

  @Override
  public List<Configuration> configuration() {
    return List.of(reloads.state());
  }

  @Override
  public void reload(String operator, Consumer<@Nullable String> then) {
    reloads.ask(operator, then);
  }

  @Override
  public List<LogLine> log() {
    return warnings.lines();
  }
}
