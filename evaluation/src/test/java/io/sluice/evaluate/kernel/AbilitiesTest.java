package io.sluice.evaluate.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.evaluate.kernel.Abilities.Means;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AbilitiesTest {
  @TempDir private Path root = Path.of("");

  private void file(String name) throws IOException {
    Files.createDirectories(root.resolve(name).resolveSibling(""));
    Files.writeString(root.resolve(name), "");
    Files.setPosixFilePermissions(root.resolve(name), PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  @Test
  void missing_means_are_reported() {
    Abilities able = Abilities.of(root);

    assertThat(able.means()).isEmpty();
    assertThat(able.missing(List.of(Means.MEMORY_LIMIT, Means.MERGING)))
        .containsExactly(Means.MEMORY_LIMIT.without(), Means.MERGING.without());
  }

  @Test
  void each_means_has_its_files() throws Exception {
    file("sys/fs/cgroup/memory/memory.limit_in_bytes");
    assertThat(Abilities.of(root).means()).containsExactly(Means.MEMORY_LIMIT);
    file("proc/sys/vm/dirty_ratio");
    assertThat(Abilities.of(root).has(Means.WRITE_BACK)).isTrue();
    file("sys/kernel/mm/ksm/run");
    assertThat(Abilities.of(root).has(Means.MERGING)).isTrue();
    assertThat(Abilities.of(root).missing(List.of(Means.MERGING))).isEmpty();
  }

  @Test
  void version_2_of_control_groups_is_enough() throws Exception {
    file("sys/fs/cgroup/cgroup.subtree_control");

    assertThat(Abilities.of(root).means()).containsExactly(Means.MEMORY_LIMIT);
  }

  @Test
  void a_simulated_disk_takes_all_of_its_parts() throws Exception {
    file("dev/fuse");
    file("dev/loop-control");
    file("usr/sbin/losetup");
    assertThat(Abilities.of(root).has(Means.SIMULATED_DISK)).isFalse();
    file("sbin/mkfs.ext4");
    assertThat(Abilities.of(root).has(Means.SIMULATED_DISK)).isFalse();
    file("usr/lib/x86_64-linux-gnu/libfuse.so.2");
    assertThat(Abilities.of(root).has(Means.SIMULATED_DISK)).isTrue();
  }
}
