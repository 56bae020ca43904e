package io.sluice.host.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.host.kernel.Folder;
import io.sluice.host.kernel.ModelKernel;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The kernel's merging of pages, watched second by second on a copied tree. */
class MergingTest {
  private static final String KSM = "/sys/kernel/mm/ksm/";

  @TempDir private Path temp = Path.of("");

  private final List<String> said = new ArrayList<>();
  private Folder folder = new Folder(temp);
  private int ticksASecond;
  private int ticks = 500;
  private int seconds;

  @BeforeEach
  void prepare() {
    folder = new Folder(temp).kernel().ksm();
    folder.file("/proc/61/comm", "ksmd\n").file("/proc/61/cmdline", "");
    ran(0);
  }

  /** Sets the ticks of user and system time, and the kernel's counters. */
  private void ran(int further) {
    ticks += further;
    String stat = "61 (ksmd) S 2 0 0 0 -1 2129984 0 0 0 0 %d %d 0 0 25 5 1 0 9\n";
    folder.file("/proc/61/stat", stat.formatted(ticks / 4, ticks - ticks / 4));
  }

  private boolean apply(int percent, int watched, int every)
      throws IOException, InterruptedException {
    Merging.Pause pause =
        length -> {
          seconds += length;
          ran(ticksASecond * length);
          folder.file(KSM + "pages_sharing", 256 * seconds + "\n");
          folder.file(KSM + "ksm_zero_pages", 512 * seconds + "\n");
          folder.file(KSM + "full_scans", seconds + "\n");
          folder.file(KSM + "general_profit", (seconds << 20) + "\n");
        };
    return new Merging(new ModelKernel(folder), said::add, pause).apply(percent, watched, every);
  }

  private void withoutAdvisor() throws IOException {
    Files.delete(temp.resolve("sys/kernel/mm/ksm/advisor_mode"));
    Files.delete(temp.resolve("sys/kernel/mm/ksm/advisor_max_cpu"));
  }

  private String rate() {
    return folder.text(KSM + "pages_to_scan").strip();
  }

  @Test
  void each_interval_has_its_cost_and_the_end_that_of_all() throws Exception {
    ticksASecond = 7;
    folder.file(KSM + "pages_sharing", "0\n");

    assertThat(apply(20, 5, 2)).isTrue();

    assertThat(seconds).as("seconds watched").isEqualTo(4);
    assertThat(said)
        .contains(
            "2 s: saved 6.0 MB (+6.0 MB), zero pages 4.0 MB, profit 2.0 MB, full scans 2,"
                + " ksmd 7.0 % of a core",
            "4 s: saved 12.0 MB (+12.0 MB), zero pages 8.0 MB, profit 4.0 MB, full scans 4,"
                + " ksmd 7.0 % of a core")
        .endsWith(
            "in 4 s: saved 12.0 MB (+12.0 MB), zero pages 8.0 MB, profit 4.0 MB, full scans 4,"
                + " for ksmd 7.0 % of a core");
  }

  @Test
  void pages_have_the_size_of_this_kernel() throws Exception {
    folder.file("/proc/self/smaps", "KernelPageSize:     2048 kB\nKernelPageSize:       64 kB\n");

    apply(20, 1, 1);

    assertThat(said)
        .anyMatch(line -> line.contains("saved 48.0 MB (+48.0 MB), zero pages 32.0 MB"));
  }

  @Test
  void without_an_advisor_the_rate_is_halved_while_the_thread_takes_more_than_its_ceiling()
      throws Exception {
    withoutAdvisor();
    ticksASecond = 21;

    apply(20, 3, 1);

    assertThat(rate()).isEqualTo("500");
  }

  @Test
  void a_thread_at_its_ceiling_keeps_its_rate() throws Exception {
    withoutAdvisor();
    ticksASecond = 20;

    apply(20, 3, 1);

    assertThat(rate()).isEqualTo("4000");
  }

  @Test
  void the_rate_is_never_below_fifty() throws Exception {
    withoutAdvisor();
    ticksASecond = 100;

    apply(1, 20, 1);

    assertThat(rate()).isEqualTo("50");
  }

  @Test
  void an_advisor_keeps_the_ceiling_itself() throws Exception {
    ticksASecond = 100;

    apply(20, 3, 1);

    assertThat(rate()).as("the rate of the model's advisor").isEqualTo("500");
    assertThat(folder.text(KSM + "advisor_max_cpu")).isEqualTo("20\n");
  }

  @Test
  void settings_with_the_right_value_are_only_watched() throws Exception {
    apply(20, 0, 1);
    said.clear();

    assertThat(apply(20, 1, 1)).isTrue();

    assertThat(said).first().isEqualTo("all settings have their values already");
    assertThat(said).hasSize(3);
  }

  @Test
  void a_kernel_without_merging_is_refused() throws IOException {
    Files.delete(temp.resolve("sys/kernel/mm/ksm/run"));

    assertThatThrownBy(() -> apply(20, 1, 1)).hasMessageContaining("no CONFIG_KSM");
  }
}
