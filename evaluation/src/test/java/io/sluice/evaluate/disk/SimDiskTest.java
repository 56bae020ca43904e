package io.sluice.evaluate.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** The start of a simulated disk. */
@Timeout(60)
@EnabledOnOs(OS.LINUX)
class SimDiskTest {
  @TempDir private Path temp = Path.of("");

  /** Returns a program in place of {@code chrt}. */
  private Path program(String text) throws IOException {
    Path file = Files.writeString(temp.resolve("chrt"), "#!/bin/sh\n" + text + "\n");
    return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  @Test
  void a_real_time_priority_is_used_where_the_system_grants_it() throws Exception {
    Path chrt = program("shift 2; exec \"$@\"");

    assertThat(SimDisk.realTime(chrt)).containsExactly(chrt.toString(), "-f", "10");
  }

  @Test
  void a_disk_does_without_a_real_time_priority_that_is_refused() throws Exception {
    assertThat(SimDisk.realTime(program("exit 1"))).isEmpty();
  }

  @Test
  void a_disk_does_without_a_program_that_is_missing() throws Exception {
    assertThat(SimDisk.realTime(temp.resolve("none"))).isEmpty();
  }

  @Test
  void a_disk_that_cannot_be_created_has_a_failure_of_its_own() throws Exception {
    Path file = Files.createFile(temp.resolve("file"));
    Disk.Plan plan = SimDisk.plan(file.resolve("disk"), DiskShape.usual());

    assertThatThrownBy(plan::open)
        .isInstanceOf(DiskFailure.class)
        .hasMessageStartingWith("cannot create the simulated disk: ");
  }
}
