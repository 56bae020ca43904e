package io.sluice.agent.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

class MemoryGaugeTest {
  private static final long KIB = 1024;

  @TempDir private Path root;

  private void put(String path, String text) throws IOException {
    Path file = root.resolve(path);
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
  }

  private void host(long totalKib, long availableKib) throws IOException {
    put(
        "proc/meminfo",
        "MemTotal:       %d kB\nMemFree: 5 kB\nMemAvailable:   %d kB\n"
            .formatted(totalKib, availableKib));
  }

  private MemoryGauge.State read() throws IOException {
    return new MemoryGauge(root).read();
  }

  @Test
  void without_a_group_it_is_the_hosts() throws IOException {
    host(1000, 400);
    put("proc/self/cgroup", "0::/\n");

    assertThat(read()).hasToString("409600 of 1024000 bytes, stalled 0.0 %");
  }

  @Test
  void a_group_of_version_2_bounds_it_and_its_page_cache_is_available() throws IOException {
    host(1000, 400);
    put("proc/self/cgroup", "0::/a/b\n");
    put("sys/fs/cgroup/a/b/memory.max", "max\n");
    put("sys/fs/cgroup/a/b/memory.current", "999\n");
    put("sys/fs/cgroup/a/memory.max", 200 * KIB + "\n");
    put("sys/fs/cgroup/a/memory.current", 190 * KIB + "\n");
    put(
        "sys/fs/cgroup/a/memory.stat",
        "anon 7\nfile 9999\ninactive_file 3072\nactive_file 2048\nunevictable 4096\n");

    MemoryGauge.State state = read();

    assertThat(state.totalBytes()).isEqualTo(200 * KIB);
    assertThat(state.availableBytes()).isEqualTo(15 * KIB);
  }

  @Test
  void memory_high_bounds_it_like_a_limit() throws IOException {
    host(1000, 400);
    put("proc/self/cgroup", "0::/a\n");
    put("sys/fs/cgroup/a/memory.max", 500 * KIB + "\n");
    put("sys/fs/cgroup/a/memory.high", 100 * KIB + "\n");
    put("sys/fs/cgroup/a/memory.current", 150 * KIB + "\n");

    assertThat(read().totalBytes()).isEqualTo(100 * KIB);
    assertThat(read().availableBytes()).isZero();
  }

  @Test
  void a_group_of_version_1_counts_what_lies_below_it() throws IOException {
    host(1000, 400);
    put("proc/self/cgroup", "9:name=systemd:/x\n4:cpu,memory:/c\n0::/\n");
    put("sys/fs/cgroup/memory/c/memory.limit_in_bytes", 300 * KIB + "\n");
    put("sys/fs/cgroup/memory/c/memory.usage_in_bytes", 250 * KIB + "\n");
    put(
        "sys/fs/cgroup/memory/c/memory.stat",
        "inactive_file 1\nactive_file 1\ntotal_inactive_file 10240\ntotal_active_file 1024\n");

    assertThat(read().totalBytes()).isEqualTo(300 * KIB);
    assertThat(read().availableBytes()).isEqualTo(61 * KIB);
  }

  @Test
  void no_limit_in_version_1_is_a_number_above_all_memory() throws IOException {
    host(1000, 400);
    put("proc/self/cgroup", "4:memory:/c\n");
    put("sys/fs/cgroup/memory/c/memory.limit_in_bytes", "9223372036854771712\n");
    put("sys/fs/cgroup/memory/c/memory.usage_in_bytes", "1\n");

    assertThat(read().availableBytes()).isEqualTo(400 * KIB);
  }

  @Test
  void in_a_container_the_mounted_folder_is_the_group() throws IOException {
    host(1000, 400);
    put("proc/self/cgroup", "0::/docker/0123\n");
    put("sys/fs/cgroup/memory.max", 100 * KIB + "\n");
    put("sys/fs/cgroup/memory.current", 40 * KIB + "\n");

    assertThat(read().availableBytes()).isEqualTo(60 * KIB);
  }

  @Test
  void the_worse_stall_of_host_and_group_counts_and_only_that_of_all_work() throws IOException {
    host(1000, 400);
    put("proc/self/cgroup", "0::/a\n");
    String pressure =
        """
        some avg10=90.00 avg60=1.00 avg300=0.00 total=5
        full avg10=%s avg60=0.00 avg300=0.00 total=5
        """;
    put("proc/pressure/memory", pressure.formatted("1.25"));
    put("sys/fs/cgroup/a/memory.pressure", pressure.formatted("33.50"));

    assertThat(read().stallPercent()).isEqualTo(33.5);
  }

  @Test
  void broken_files_of_a_group_are_no_limit_and_a_path_does_not_leave_the_mount()
      throws IOException {
    host(1000, 400);
    put("proc/self/cgroup", "0::/../../etc\nnonsense\n0::\n");
    put("sys/fs/cgroup/memory.max", "-5\n");
    put("sys/fs/cgroup/memory.current", "");
    put("proc/pressure/memory", "full avg10=x\n");

    assertThat(read()).hasToString("409600 of 1024000 bytes, stalled 0.0 %");
  }

  @Test
  void without_the_hosts_memory_there_is_no_state() throws IOException {
    assertThatThrownBy(this::read).isInstanceOf(IOException.class);
    put("proc/meminfo", "MemTotal: 5 kB\n");
    assertThatThrownBy(this::read).hasMessageContaining("MemAvailable");
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  void this_machine_can_be_read() throws IOException {
    MemoryGauge.State state = new MemoryGauge(Path.of("/")).read();

    assertThat(state.totalBytes()).isGreaterThan(64 << 20);
    assertThat(state.availableBytes()).isBetween(1L, state.totalBytes());
    assertThat(state.stallPercent()).isBetween(0.0, 100.0);
  }
}
