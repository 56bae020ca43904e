package io.sluice.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.console.HostView;
import io.sluice.server.settings.InvalidSettings;
import io.sluice.server.settings.Settings;
import io.sluice.server.settings.SettingsText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** The notifications of a service of Type=notify. */
class ServiceNotifierTest {

  @TempDir private Path folder = Path.of("");
  private final List<String> notifications = new ArrayList<>();
  private final ServiceNotifier notifier =
      new ServiceNotifier(assignments -> notifications.add(String.join(" ", assignments)));

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
            notifier,
            HostView.NONE);
    host.stop(Duration.ZERO);

    assertThat(notifications)
        .hasSize(3)
        .satisfies(
            lines -> {
              assertThat(lines.get(0)).isEqualTo("STATUS=Waiting for the cluster: no node is up");
              assertThat(lines.get(1)).startsWith("READY=1 STATUS=Clients connect to ");
              assertThat(lines.get(2)).startsWith("STOPPING=1 ");
            });
  }

  @Test
  void the_same_reason_to_wait_is_sent_once() {
    notifier.waiting("no node is up");
    notifier.waiting("no node is up");
    notifier.waiting("schema is read\nREADY=1");

    assertThat(notifications)
        .containsExactly(
            "STATUS=Waiting for the cluster: no node is up",
            "STATUS=Waiting for the cluster: schema is read READY=1");
  }

  @Test
  void a_failure_changes_nothing() {
    ServiceNotifier failing =
        new ServiceNotifier(
            assignments -> {
              throw new IOException("no such file");
            });
    failing.ready("127.0.0.1:9042");
    new ServiceNotifier(Map.of()).ready("127.0.0.1:9042");
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  void a_message_goes_to_a_socket_in_the_file_system_or_with_an_abstract_name() throws Exception {
    String path = folder.resolve("notify").toString();
    try (NotificationReceiver systemd = new NotificationReceiver(path)) {
      new ServiceNotifier(Map.of("NOTIFY_SOCKET", path)).ready("[::1]:9042");
      assertThat(systemd.next()).isEqualTo("READY=1\nSTATUS=Clients connect to [::1]:9042");
    }
    try (NotificationReceiver systemd = new NotificationReceiver('\0' + path)) {
      new ServiceNotifier(Map.of("NOTIFY_SOCKET", "@" + path)).ready("[::1]:9042");
      assertThat(systemd.next()).isEqualTo("READY=1\nSTATUS=Clients connect to [::1]:9042");
    }
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  void a_socket_that_is_missing_is_an_error() {
    String none = folder.resolve("none").toString();
    assertThatThrownBy(() -> new NotifySocket(none).send(List.of("READY=1")))
        .isInstanceOf(IOException.class)
        .hasMessageStartingWith(none + ": ");
  }

  @Test
  void the_command_gets_the_assignments_as_arguments() throws Exception {
    Path arguments = folder.resolve("arguments");
    Path command = command("echo \"$*\" >> " + arguments);

    new NotifyCommand(command.toString()).send(List.of("READY=1", "STATUS=serves"));

    assertThat(arguments).hasContent("READY=1 STATUS=serves");
  }

  @Test
  void a_command_that_fails_or_is_missing_is_an_error() throws Exception {
    Path command = command("exit 1");
    NotifyCommand failing = new NotifyCommand(command.toString());

    assertThatThrownBy(() -> failing.send(List.of("READY=1")))
        .isInstanceOf(IOException.class)
        .hasMessage(command + " ended with 1");
    Files.delete(command);
    assertThatThrownBy(() -> failing.send(List.of("READY=1"))).isInstanceOf(IOException.class);
  }

  private Path command(String line) throws IOException {
    Path command = Files.writeString(folder.resolve("command"), "#!/bin/sh\n" + line + "\n");
    assertThat(command.toFile().setExecutable(true)).isTrue();
    return command;
  }

  private static Settings settings() throws IOException, InvalidSettings {
    String text = "cluster: {contactPoints: [127.0.0.1], localDatacenter: dc1}\nadmin: {port: 0}\n";
    return SettingsText.read(text);
  }
}
