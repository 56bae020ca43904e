package io.sluice.server.settings;

import static io.sluice.server.settings.SettingsText.withCluster;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.console.HostView.Configuration.State;
import io.sluice.console.HostView.Setting;
import io.sluice.decide.schedule.SchedulingConfig.Mode;
import io.sluice.setting.InvalidSetting;
import io.sluice.setting.RefusedSettings;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests reloads of a configuration that is refused: no setting changes, and the reason is told. */
@DisabledOnOs(OS.WINDOWS)
class BadReloadsTest extends ReloadsFixture {

  @Test
  void settings_that_do_not_fit_the_cluster_change_nothing() throws Exception {
    reloads.proxy(
        next -> {
          throw RefusedSettings.of(
              new InvalidSetting("rules[0].datacenter", "dc3", "must be dc1 or dc2", "correct it"));
        });
    write(withCluster("scheduling: {mode: enforce}\n"));

    assertThat(reload()).contains("rules[0].datacenter: dc3 must be dc1 or dc2; correct it");
    assertThat(shown("scheduling.mode").value()).isEqualTo("observe");
    assertThat(reloads.state().state()).isEqualTo(State.REFUSED);
  }

  @Test
  void a_file_that_is_valid_but_not_beside_an_update_is_refused_with_the_reason() throws Exception {
    live.change("scheduling.rangeSlotsMin", "4", "ops", applied::add);
    applied.clear();
    write(withCluster("scheduling: {mode: enforce, rangeSlotsStart: 2}"));

    assertThat(reload())
        .contains("scheduling.rangeSlotsStart")
        .contains("set by UPDATE (scheduling.rangeSlotsMin)");
    assertThat(live.now().scheduling().mode()).isEqualTo(Mode.OBSERVE);
    assertThat(applied).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "scheduling: {mode: enfroce}\ncql: {port: 1}",
        "scheduling: {mode: enforce, ageing: 7}",
        "scheduling: {mode: enforce}\nnonsense: 1",
        "scheduling: {mode: enforce}\ncql: {tls: {mode: required, certificate: /none, key: /none}}",
        "scheduling:\n  mode: enforce\n  mode: observe",
        "scheduling: {mode: enf",
        "\u0000\u0001\u0002",
        "- a\n- b",
        "scheduling: &a [*a]",
        "${NOT_SET}: 1",
        "cql: {port: ${NOT_SET}}",
        "rules: [{match: {role: a}, action: refuze}]",
      })
  void a_bad_file_changes_nothing_and_is_told(String text) throws Exception {
    List<Setting> before = live.shown();
    Settings settings = live.now();
    write(withCluster(text));

    String error = reload();

    assertThat(error).startsWith(file + ": ").doesNotContain("\n");
    assertThat(live.shown()).isEqualTo(before);
    assertThat(live.now()).isSameAs(settings);
    assertThat(applied).isEmpty();
    assertThat(reloads.state().state()).isEqualTo(State.REFUSED);
    assertThat(reloads.state().error()).isEqualTo(error);
    assertThat(reloads.state().refused()).isEqualTo(1);
    assertThat(lines()).singleElement().asString().contains("the settings stay unchanged");

    write(FIRST);
    assertThat(reload()).isNull();
    assertThat(reloads.state().state()).isEqualTo(State.CURRENT);
    assertThat(reloads.state().error()).isNull();
  }

  @Test
  void a_fault_is_told_with_its_line_its_key_and_what_to_write() throws Exception {
    write("# first\n" + withCluster("\nscheduling:\n  ageing: 1\n  mode: enfroce"));
    assertThat(reload())
        .isEqualTo(
            file
                + ": line 5, scheduling.mode: \"enfroce\" must be one of enforce, observe,"
                + " passthrough; did you mean enforce?");
  }

  @Test
  void a_file_that_is_empty_lacks_its_cluster() throws Exception {
    write("");
    assertThat(reload()).contains("cluster.contactPoints");
  }

  @Test
  void a_file_with_many_faults_is_a_bounded_line() throws Exception {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < 500; i++) {
      text.append("nonsense").append(i).append(": ").append("x".repeat(500)).append('\n');
    }
    write(withCluster(text.toString()));
    assertThat(reload()).hasSizeLessThan(6_000).contains("480 more");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "cluster:\n  credentials: {username: a, password: 'hunter2",
        "cluster:\n  credentials: {username: a, password: *hunter2}",
        "cluster:\n  credentials: {username: a, password: !hunter2 x}",
        "cluster:\n  credentials: {username: a, password: !<hunter2> x}",
        "cluster:\n  credentials: {username: a, password: %hunter2}",
        "cluster:\n  credentials: {username: a, password: @hunter2}",
        "cluster:\n  credentials: {username: a, password: b: hunter2}",
        "cluster:\n  credentials: {username: a, pasword: hunter2}",
        "cluster:\n  credentials: hunter2",
        "cluster:\n  credentials:\n    username: a\n    password: \"hunter2\\q\"",
        "cluster:\n  credentials:\n    username: a\n    password: 'x'\n    hunter2",
        "admin: {tokn: hunter2}",
        "admin: {token: [hunter2]}",
        "cql: {tls: {keyPasswort: hunter2}}",
        "password: hunter2",
      })
  void no_secret_of_a_bad_file_is_told(String text) throws Exception {
    write(text + (text.startsWith("cluster") ? "" : "\n" + FIRST));
    assertThat(reload()).isNotNull().doesNotContain("hunter2");
    assertThat(lines().toString()).doesNotContain("hunter2");
  }
}
