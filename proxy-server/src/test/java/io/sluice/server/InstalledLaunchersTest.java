package io.sluice.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.testkit.SpawnedCommand;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The launchers of the archive and of the image. Their Java is a script that prints arguments. */
@Timeout(60)
@DisabledOnOs(OS.WINDOWS)
class InstalledLaunchersTest {
  private static final String JAVA =
      """
      #!/bin/sh
      if [ "$1" = -version ]; then echo 'openjdk version "17.0.1"' >&2; exit; fi
      echo "java $*"
      """;

  @TempDir
  @SuppressWarnings("NullAway.Init")
  private Path folder;

  @BeforeEach
  void prepare() throws IOException {
    Path java = Files.writeString(folder.resolve("java"), JAVA);
    Files.setPosixFilePermissions(java, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  private String run(String launcher, String... arguments) throws Exception {
    List<String> command = new ArrayList<>(List.of("sh", Path.of("..", launcher).toString()));
    command.addAll(List.of(arguments));
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().put("PATH", folder + ":" + System.getenv("PATH"));
    builder.environment().remove("JAVA_HOME");
    builder.environment().put("SLUICE_JAVA_OPTS", "-Xms1g -Dx=1");
    SpawnedCommand ended = SpawnedCommand.finish(folder, builder);
    assertThat(ended.exitCode()).as(ended.err()).isZero();
    return ended.out();
  }

  /** {@code systemctl reload} and {@code kubectl exec} run commands with the proxy's variables. */
  @ParameterizedTest
  @ValueSource(strings = {"distribution/src/bin/sluice", "docker/sluice/sluice"})
  void options_of_the_jvm_are_for_the_proxy_only(String launcher) throws Exception {
    assertThat(run(launcher, "server", "x.yml"))
        .contains(" -Xms1g -Dx=1 -cp ")
        .endsWith("io.sluice.server.SluiceServer server x.yml\n");
    for (String line : List.of("check x.yml", "fleet init x.yml", "reload", "--version", "")) {
      assertThat(run(launcher, line.isEmpty() ? new String[0] : line.split(" ")))
          .as(line)
          .startsWith("java ")
          .doesNotContain("-Xms1g");
    }
  }
}
