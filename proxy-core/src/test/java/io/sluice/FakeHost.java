package io.sluice;

import io.sluice.console.HostView;
import io.sluice.console.HostView.Configuration;
import io.sluice.console.HostView.LogLine;
import io.sluice.console.HostView.Setting;
import io.sluice.console.HostView.Setting.Changes;
import io.sluice.console.HostView.Setting.Source;
import io.sluice.console.LiveConfig;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A host with two settings that records changes of them. */
final class FakeHost implements HostView {

  final List<String> changes = new CopyOnWriteArrayList<>();

  /** The new values of changed settings. */
  volatile LiveConfig next;

  /** The reason why a reload is refused; null if it succeeds. */
  volatile @Nullable String reloadRefused;

  FakeHost(ProxyConfig config) {
    next = config.live();
  }

  @Override
  public List<Setting> settings() {
    return List.of(
        new Setting("cql.port", "9042", "9042", Source.DEFAULT, Changes.RESTART),
        new Setting("scheduling.mode", "ENFORCE", "ENFORCE", Source.DEFAULT, Changes.LIVE));
  }

  @Override
  public boolean accepts(String key) {
    return key.equals("logging.loggers.a.b");
  }

  @Override
  public @Nullable String change(
      String key, @Nullable String value, String operator, Consumer<LiveConfig> proxy) {
    if (key.equals("cql.port")) {
      return "cql.port is read only at the start";
    }
    changes.add(key + " = " + value + " by " + operator.replaceFirst(":\\d+$", ""));
    proxy.accept(next);
    return null;
  }

  @Override
  public List<Configuration> configuration() {
    return List.of(
        new Configuration(
            "/etc/sluice.yml",
            Configuration.State.REFUSED,
            Instant.EPOCH,
            Instant.EPOCH,
            "SIGHUP",
            "x",
            "",
            "cql.port",
            2,
            1));
  }

  @Override
  public void reload(String operator, Consumer<@Nullable String> then) {
    changes.add("reload by " + operator.replaceFirst(":\\d+$", ""));
    new Thread(() -> then.accept(reloadRefused)).start();
  }

  @Override
  public List<LogLine> log() {
    return List.of(new LogLine(1, Instant.EPOCH, "WARN", "Journal", "Node a is silent"));
  }
}
