package io.sluice.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.console.HostView;
import io.sluice.server.settings.InvalidSettings;
import io.sluice.server.settings.Settings;
import io.sluice.server.settings.SettingsText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The notifications of a service of Type=notify, recorded by a command that replaces
 * systemd-notify.
 */
class ServiceNotifierTest {

  private static final Map<String, String> SERVICE = Map.of("NOTIFY_SOCKET", "/run/systemd/notify");

  @TempDir private Path folder;
  private Path notifications;
  private Path command;

  @BeforeEach
  void command_that_writes_down_its_arguments() throws IOException {
    notifications = folder.resolve("told");
    Files.createFile(notifications);
    command = folder.resolve("notify");
    Files.writeString(command, "#!/bin/sh\necho \"$*\" >> " + notifications + "\n");
    assertThat(command.toFile().setExecutable(true)).isTrue();
  }

  @Test
  void a_host_is_ready_once_its_proxy_serves_and_stopping_before_it_drains() throws Exception {
    FakeProxy proxy = new FakeProxy(0);
    Host host =
        new Host(
            settings(),
            (config, registry, waiting, view, tracer) -> {
              waiting.accept("no node is up");
              return proxy;
            },
            notifier(SERVICE),
            HostView.NONE);
    host.stop(Duration.ZERO);

    assertThat(notifications())
        .hasSize(3)
        .satisfies(
            lines -> {
              assertThat(lines.get(0)).isEqualTo("--status=Waiting for the cluster: no node is up");
              assertThat(lines.get(1)).startsWith("--ready --status=Clients connect to ");
              assertThat(lines.get(2)).startsWith("STOPPING=1 ");
            });
  }

  @Test
  void the_same_reason_to_wait_is_sent_once() throws Exception {
    ServiceNotifier notifier = notifier(SERVICE);

    notifier.waiting("no node is up");
    notifier.waiting("no node is up");
    notifier.waiting("schema is read");

    assertThat(notifications())
        .containsExactly(
            "--status=Waiting for the cluster: no node is up",
            "--status=Waiting for the cluster: schema is read");
  }

  @Test
  void without_a_service_manager_no_command_runs() throws Exception {
    notifier(Map.of()).ready("127.0.0.1:9042");

    assertThat(notifications()).isEmpty();
  }

  @Test
  void a_missing_or_failing_command_changes_nothing() throws Exception {
    Files.writeString(command, "#!/bin/sh\nexit 1\n");
    notifier(SERVICE).ready("127.0.0.1:9042");

    Files.delete(command);
    notifier(SERVICE).ready("127.0.0.1:9042");
  }

  private ServiceNotifier notifier(Map<String, String> environment) {
    return new ServiceNotifier(environment, command.toString());
  }

  private List<String> notifications() throws IOException {
    return Files.readAllLines(notifications);
  }

  private static Settings settings() throws IOException, InvalidSettings {
    String text = "cluster: {contactPoints: [127.0.0.1], localDatacenter: dc1}\nadmin: {port: 0}\n";
    return SettingsText.read(text);
  }
}
