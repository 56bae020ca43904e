package io.sluice.it.cluster;

import io.sluice.ProxyConfig;
import io.sluice.console.HostView;
import io.sluice.console.HostView.Setting;
import io.sluice.console.HostView.Setting.Changes;
import io.sluice.console.HostView.Setting.Source;
import io.sluice.console.LiveConfig;
import io.sluice.decide.schedule.SchedulingConfig;
import io.sluice.decide.schedule.SchedulingConfig.Mode;
import io.sluice.exchange.ExchangeConfig;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The host of a proxy in this JVM, with one setting that can change: {@code scheduling.mode}. */
final class LiveMode implements HostView {

  private static final String KEY = "scheduling.mode";
  private static final String DEFAULT = "enforce";

  private final ProxyConfig config;
  private volatile String mode = DEFAULT;

  LiveMode(ProxyConfig config) {
    this.config = config;
  }

  @Override
  public List<Setting> settings() {
    Source source = mode.equals(DEFAULT) ? Source.DEFAULT : Source.CONSOLE;
    return List.of(new Setting(KEY, mode, DEFAULT, source, Changes.LIVE));
  }

  @Override
  public @Nullable String change(
      String key, @Nullable String value, String operator, Consumer<LiveConfig> proxy) {
    String next = value == null ? DEFAULT : value;
    try {
      proxy.accept(with(Mode.valueOf(next.toUpperCase(Locale.ROOT))));
    } catch (IllegalArgumentException e) {
      return KEY + ": \"" + value + "\" must be one of enforce, observe, passthrough";
    }
    mode = next;
    return null;
  }

  private LiveConfig with(Mode changed) {
    SchedulingConfig scheduling = config.scheduling().in(changed);
    ExchangeConfig exchange = config.live().exchange();
    return new LiveConfig(
        new ExchangeConfig(
            exchange.requestTimeout(),
            scheduling,
            exchange.connectTimeout(),
            exchange.hints(),
            exchange.advertise(),
            exchange.peers()),
        config.console().roles());
  }
}
