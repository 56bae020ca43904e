package io.sluice.evaluate.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** KSM with the kernel's files in a copied tree. */
class KsmTest {
  @TempDir private Path root = Path.of("");

  @BeforeEach
  void kernel() throws IOException {
    Files.createDirectories(root.resolve("sys/kernel/mm/ksm"));
    write("run", "1\n");
    write("pages_to_scan", "100\n");
    write("sleep_millisecs", "20\n");
    write("advisor_mode", "none [scan-time]\n");
    write("pages_sharing", "10\n");
    write("ksm_zero_pages", "30\n");
    stat(7, "(java) S", 900, 900);
    stat(31, "(ksmd) S", 150, 50);
  }

  private void stat(int pid, String name, int user, int system) throws IOException {
    Path process = Files.createDirectories(root.resolve("proc").resolve(Integer.toString(pid)));
    Files.writeString(
        process.resolve("stat"),
        pid + " " + name + " 1 2 3 4 5 6 7 8 9 10 " + user + " " + system + " 0 0");
  }

  private void write(String name, String value) throws IOException {
    Files.writeString(root.resolve("sys/kernel/mm/ksm").resolve(name), value);
  }

  private String read(String name) throws IOException {
    return Files.readString(root.resolve("sys/kernel/mm/ksm").resolve(name));
  }

  @Test
  void everything_is_as_before_at_the_end() throws Exception {
    try (Ksm ksm = new Ksm(root)) {
      ksm.set(Map.of("pages_to_scan", "1000", "sleep_millisecs", "10", "advisor_mode", "none"));
      assertThat(read("pages_to_scan")).isEqualTo("1000");
      assertThat(read("advisor_mode")).isEqualTo("none");
    }

    assertThat(read("run")).isEqualTo("1");
    assertThat(read("pages_to_scan")).isEqualTo("100");
    assertThat(read("sleep_millisecs")).isEqualTo("20");
    assertThat(read("advisor_mode")).isEqualTo("scan-time");
  }

  @Test
  void a_setting_does_not_survive_the_next() throws Exception {
    try (Ksm ksm = new Ksm(root)) {
      ksm.set(Map.of("pages_to_scan", "1000", "run", "1"));
      ksm.set(Map.of());

      assertThat(read("pages_to_scan")).isEqualTo("100");
      assertThat(read("run")).isEqualTo("0");
    }
  }

  @Test
  void a_kernel_without_a_setting_does_without_it() {
    try (Ksm ksm = new Ksm(root)) {
      ksm.set(Map.of("smart_scan", "1"));
    }

    assertThat(root.resolve("sys/kernel/mm/ksm/smart_scan")).doesNotExist();
  }

  @Test
  void counters_are_the_kernels() {
    try (Ksm ksm = new Ksm(root)) {
      assertThat(ksm.counters()).isEqualTo(new Ksm.Counters(40 * 4096, 30 * 4096, 2.0));
    }
  }
}
