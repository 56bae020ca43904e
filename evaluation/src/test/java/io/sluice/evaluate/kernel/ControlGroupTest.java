package io.sluice.evaluate.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Control groups in a copied tree. The test creates the files that a kernel would create. */
class ControlGroupTest {
  @TempDir private Path mount = Path.of("");

  private ControlGroup first() throws IOException {
    Files.createDirectories(mount.resolve("memory").resolve("g"));
    Files.writeString(mount.resolve("memory/memory.limit_in_bytes"), "0");
    Files.writeString(mount.resolve("memory/g/memory.usage_in_bytes"), "1000\n");
    Files.writeString(mount.resolve("memory/g/memory.stat"), "cache 1\ntotal_cache 300\n");
    return ControlGroup.make(mount, "g").orElseThrow();
  }

  private ControlGroup second() throws IOException {
    Files.createDirectories(mount.resolve("g"));
    Files.writeString(mount.resolve("cgroup.subtree_control"), "");
    Files.writeString(mount.resolve("g/memory.current"), "2000\n");
    Files.writeString(mount.resolve("g/memory.stat"), "anon 7\nfile 500\n");
    return ControlGroup.make(mount, "g").orElseThrow();
  }

  @Test
  void each_version_has_its_files() throws Exception {
    ControlGroup group = first();
    group.limit(700);
    assertThat(group.version()).isEqualTo(1);
    assertThat(mount.resolve("memory/g/memory.limit_in_bytes")).hasContent("700");
    group.unlimit();
    assertThat(mount.resolve("memory/g/memory.limit_in_bytes")).hasContent("-1");
    assertThat(group.cache()).isEqualTo(300);
    assertThat(group.withoutCache()).isEqualTo(700);
  }

  @Test
  void version_2_has_its_files_too() throws Exception {
    ControlGroup group = second();
    group.limit(700);
    assertThat(group.version()).isEqualTo(2);
    assertThat(mount.resolve("cgroup.subtree_control")).hasContent("+memory");
    assertThat(mount.resolve("g/memory.max")).hasContent("700");
    group.unlimit();
    assertThat(mount.resolve("g/memory.max")).hasContent("max");
    assertThat(group.withoutCache()).isEqualTo(1500);
  }

  @Test
  void a_machine_without_a_controller_of_memory_has_none() {
    assertThat(ControlGroup.make(mount, "g")).isEmpty();
    assertThat(ControlGroup.make(mount.resolve("nothing"), "g")).isEmpty();
  }

  @Test
  void a_process_enters_the_group_and_executes_its_command() throws Exception {
    ControlGroup group = first();
    List<String> command = new ArrayList<>(group.entering());
    command.addAll(List.of("/bin/echo", "it's run"));
    Process process = new ProcessBuilder(command).start();

    assertThat(new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip())
        .isEqualTo("it's run");
    assertThat(mount.resolve("memory/g/cgroup.procs")).hasContent(Long.toString(process.pid()));
  }
}
