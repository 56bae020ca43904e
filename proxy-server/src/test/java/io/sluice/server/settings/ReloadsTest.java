package io.sluice.server.settings;

import static io.sluice.server.settings.SettingsText.withCluster;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.sluice.console.HostView.Configuration;
import io.sluice.console.HostView.Configuration.State;
import io.sluice.console.HostView.Setting;
import io.sluice.console.HostView.Setting.Changes;
import io.sluice.console.HostView.Setting.Source;
import io.sluice.decide.schedule.SchedulingConfig.Mode;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.slf4j.LoggerFactory;

/** Tests reloads of the configuration file: the settings afterwards, and the messages. */
@DisabledOnOs(OS.WINDOWS)
class ReloadsTest extends ReloadsFixture {

  @Test
  void live_keys_hold_at_once_and_the_others_after_a_restart() throws Exception {
    write(withCluster("scheduling: {mode: enforce, ageing: 0.25}\ncql: {port: 9999}\n"));
    now = Instant.ofEpochSecond(7);

    assertThat(reload()).isNull();

    assertThat(applied).hasSize(1);
    assertThat(applied.get(0).exchange().scheduling().mode()).isEqualTo(Mode.ENFORCE);
    assertThat(live.now().scheduling().ageing()).isEqualTo(0.25);
    assertThat(live.now().cql().port()).as("needs a restart").isEqualTo(9042);
    assertThat(shown("cql.port"))
        .isEqualTo(
            new Setting("cql.port", "9042", "9042", Source.DEFAULT, Changes.RESTART, null, "9999"));
    assertThat(shown("scheduling.ageing"))
        .isEqualTo(
            new Setting("scheduling.ageing", "0.25", "0.5", Source.FILE, Changes.LIVE, null, null));
    Configuration state = reloads.state();
    assertThat(state.state()).isEqualTo(State.CURRENT);
    assertThat(state.since()).isEqualTo(now);
    assertThat(state.pending()).isEqualTo("cql.port");
    assertThat(state.changed())
        .isEqualTo("scheduling.ageing: 0.5 -> 0.25, scheduling.mode: observe -> enforce");
    assertThat(lines())
        .containsExactly(
            "Reload of "
                + file
                + " (the test): scheduling.ageing: 0.5 -> 0.25, scheduling.mode: observe ->"
                + " enforce; needs a restart: cql.port");
  }

  @Test
  void a_key_that_is_taken_out_of_the_file_has_its_default_again() throws Exception {
    write(withCluster("rules: []"));
    assertThat(reload()).isNull();
    assertThat(live.now().scheduling().mode()).isEqualTo(Mode.ENFORCE);
    assertThat(shown("scheduling.mode").source()).isEqualTo(Source.DEFAULT);
  }

  @Test
  void a_key_of_a_restart_that_is_set_back_waits_for_nothing() throws Exception {
    write(FIRST + "cql: {port: 1}\n");
    reload();
    assertThat(reloads.pending()).isEqualTo(1);
    write(FIRST);
    reload();
    assertThat(reloads.pending()).isZero();
    assertThat(reloads.state().pending()).isEmpty();
    assertThat(applied).as("no live key has changed").isEmpty();
  }

  @Test
  void another_notation_of_the_same_value_is_no_change() throws Exception {
    write(
        """
        # a comment
        scheduling: {mode: OBSERVE, readTimeout: null}
        cluster: {contactPoints: ["10.0.0.1:9042"], localDatacenter: "dc1"}
        cql: {port: 9042, handshakeTimeout: 10000ms}
        split: {parallel: Waves}
        """);

    assertThat(reload()).isNull();

    assertThat(reloads.state().changed()).isEmpty();
    assertThat(reloads.state().pending()).isEmpty();
    assertThat(applied).isEmpty();
  }

  @Test
  void an_update_wins_over_the_file_until_it_is_deleted() throws Exception {
    live.change("scheduling.mode", "passthrough", "ops", applied::add);
    applied.clear();
    write(withCluster("scheduling: {mode: enforce, ageing: 1}"));

    assertThat(reload()).isNull();

    assertThat(live.now().scheduling().mode()).isEqualTo(Mode.PASSTHROUGH);
    assertThat(live.now().scheduling().ageing()).isEqualTo(1);
    assertThat(shown("scheduling.mode"))
        .isEqualTo(
            new Setting(
                "scheduling.mode",
                "passthrough",
                "ENFORCE",
                Source.CONSOLE,
                Changes.LIVE,
                "ops",
                "enforce"));
    assertThat(lines()).last().asString().contains("set by UPDATE, which stays: scheduling.mode");

    live.change("scheduling.mode", null, "ops", applied::add);
    assertThat(live.now().scheduling().mode()).isEqualTo(Mode.ENFORCE);
  }

  @Test
  void a_storm_is_one_reload() throws Exception {
    List<@Nullable String> told = new ArrayList<>();
    write(withCluster("scheduling: {mode: enforce}"));
    for (int i = 0; i < 1_000; i++) {
      reloads.ask("SIGHUP", told::add);
    }
    reloads.run();
    reloads.run();

    assertThat(told).hasSize(1_000).containsOnlyNulls();
    assertThat(applied).hasSize(1);
    assertThat(reloads.state().reloads()).isEqualTo(1);
    assertThat(lines()).hasSize(1);
  }

  @Test
  void a_reload_that_throws_is_told_and_the_next_one_works() throws Exception {
    reloads.proxy(
        next -> {
          throw new IllegalStateException("broken");
        });
    write(withCluster("scheduling: {mode: enforce}"));
    assertThat(reload()).contains("broken");
    reloads.proxy(applied::add);
    write(FIRST);
    assertThat(reload()).isNull();
    assertThat(applied).hasSize(1);
  }

  @Test
  void a_request_after_the_end_is_refused() {
    reloads.close();
    List<@Nullable String> told = new ArrayList<>();
    reloads.ask("the test", told::add);
    reloads.change("scheduling.mode", "enforce", "ops", applied::add, told::add);
    assertThat(told).containsExactly("Sluice is shutting down", "Sluice is shutting down");
  }

  @Test
  void changes_of_single_settings_are_made_in_their_order_on_the_thread_of_reloads() {
    List<@Nullable String> told = new ArrayList<>();
    reloads.change("scheduling.mode", "enforce", "ops", applied::add, told::add);
    reloads.change("scheduling.mode", "passthrough", "ops", applied::add, told::add);
    reloads.change("scheduling.mode", "none", "ops", applied::add, told::add);
    assertThat(told).isEmpty();

    reloads.run();
    reloads.run();

    assertThat(applied).hasSize(2);
    assertThat(told.subList(0, 2)).containsOnlyNulls();
    assertThat(told.get(2)).startsWith("scheduling.mode: \"none\" must be one of");
    assertThat(told).hasSize(3);
    assertThat(live.now().scheduling().mode()).isEqualTo(Mode.PASSTHROUGH);
  }

  @Test
  void a_change_that_throws_is_told_and_the_next_one_is_made() {
    List<@Nullable String> told = new ArrayList<>();
    reloads.change(
        "scheduling.mode",
        "enforce",
        "ops",
        next -> {
          throw new IllegalStateException("broken");
        },
        told::add);
    reloads.change("scheduling.ageing", "1", "ops", applied::add, told::add);

    reloads.run();

    assertThat(told).containsExactly("the change failed: see the log", null);
    assertThat(lines()).anyMatch(line -> line.equals("The change of scheduling.mode failed (ops)"));
  }

  @Test
  void a_change_that_waits_at_the_end_is_refused() {
    List<@Nullable String> told = new ArrayList<>();
    reloads.change("scheduling.mode", "enforce", "ops", applied::add, told::add);
    reloads.close();
    assertThat(told).containsExactly("Sluice is shutting down");
    assertThat(applied).isEmpty();
  }

  @Test
  void levels_of_loggers_change() throws Exception {
    Logger netty = (Logger) LoggerFactory.getLogger("io.netty.of.this.test");
    write(FIRST + "logging: {loggers: {io.netty.of.this.test: TRACE}}\n");
    assertThat(reload()).isNull();
    assertThat(netty.getLevel()).isEqualTo(Level.TRACE);
    assertThat(shown("logging.loggers.io.netty.of.this.test").changes()).isEqualTo(Changes.LIVE);
    live.change("logging.loggers.io.netty.of.this.test", "ERROR", "ops", applied::add);
    assertThat(netty.getLevel()).isEqualTo(Level.ERROR);
    live.change("logging.loggers.io.netty.of.this.test", null, "ops", applied::add);
    assertThat(netty.getLevel()).isEqualTo(Level.TRACE);
    write(FIRST);
    assertThat(reload()).isNull();
    assertThat(netty.getLevel()).as("as its parents").isNull();
  }

  @Test
  void reloads_are_counted_from_0_by_what_came_of_them() throws Exception {
    SimpleMeterRegistry registry = new SimpleMeterRegistry();
    ReloadMeters.register(registry, reloads);
    assertThat(counts(registry))
        .isEqualTo(Map.of("applied", 0.0, "unchanged", 0.0, "refused", 0.0));
    reload();
    write("nonsense: 1");
    reload();
    assertThat(gauge(registry, "sluice.configuration.last.reload.successful")).isZero();
    write(FIRST + "cql: {port: 1}\n");
    now = Instant.ofEpochSecond(90);
    reload();
    assertThat(counts(registry))
        .isEqualTo(Map.of("applied", 1.0, "unchanged", 1.0, "refused", 1.0));
    assertThat(gauge(registry, "sluice.configuration.last.reload.successful")).isEqualTo(1);
    assertThat(gauge(registry, "sluice.configuration.timestamp.seconds")).isEqualTo(90);
    assertThat(gauge(registry, "sluice.configuration.pending.keys")).isEqualTo(1);
  }

  private static double gauge(SimpleMeterRegistry registry, String name) {
    return registry.get(name).gauge().value();
  }

  private static Map<String, Double> counts(SimpleMeterRegistry registry) {
    Map<String, Double> counts = new HashMap<>();
    registry
        .get("sluice.configuration.reloads")
        .functionCounters()
        .forEach(each -> counts.put(each.getId().getTag("result"), each.count()));
    return counts;
  }
}
