package io.sluice.evaluate.study;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.cluster.ClusterFailure;
import io.sluice.cluster.ClusterSpec;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.LocalDateTime;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The parts of the studies: variants, kernel settings, times from logs, copies of folders. */
class StudyPartsTest {
  private static final List<JoinVariant> ALL = JoinVariant.named(List.of());

  @TempDir private Path temp = Path.of("");

  @Test
  void a_quick_study_of_joins_leaves_schedulers_out() {
    assertThat(JoinVariant.of(ALL, true, true, true))
        .containsExactly(
            JoinVariant.STOCK, JoinVariant.DEFERRED, JoinVariant.WRITE_BACK, JoinVariant.ALL);
    assertThat(JoinVariant.of(ALL, false, true, true)).containsExactly(JoinVariant.values());
  }

  @Test
  void without_root_write_back_is_not_changed_and_a_users_disk_keeps_its_scheduler() {
    assertThat(JoinVariant.of(ALL, false, false, false))
        .containsExactly(JoinVariant.STOCK, JoinVariant.DEFERRED);
  }

  @Test
  void variants_are_named_as_in_the_report() {
    assertThat(JoinVariant.named(List.of("write-back", "stock")))
        .containsExactly(JoinVariant.STOCK, JoinVariant.WRITE_BACK);
    assertThatThrownBy(() -> JoinVariant.named(List.of("faster")))
        .hasMessageStartingWith("--variants: 'faster' is none of [stock, deferred syncs");
  }

  @Test
  void merging_is_off_first_then_by_default_then_at_each_interval_then_advised() {
    assertThat(Merging.all(List.of(10, 50)))
        .extracting(Merging::label)
        .containsExactly("off", "default", "every 10 ms", "every 50 ms", "advisor");
    assertThat(Merging.OFF.settings()).isEmpty();
    assertThat(Merging.every(50).settings())
        .containsEntry("sleep_millisecs", "50")
        .containsEntry("pages_to_scan", "1000")
        .containsEntry("run", "1");
    assertThat(Merging.advised().settings())
        .containsEntry("advisor_mode", "scan-time")
        .containsEntry("use_zero_pages", "1");
  }

  @Test
  void the_times_of_a_join_are_those_of_the_log() {
    JoinLog log =
        JoinLog.of(
            List.of(
                "INFO  [main] 2026-01-02 10:00:00,000 X.java:1 - hello",
                "INFO  [main] 2026-01-02 10:00:07,250 S.java:1 - JOINING: Starting to bootstrap...",
                "INFO  [main] 2026-01-02T10:00:31,500 G.java:1 - Node 127.0.0.2 state jump to"
                    + " NORMAL"));

    assertThat(log.begun()).contains(LocalDateTime.of(2026, 1, 2, 10, 0, 7, 250_000_000));
    assertThat(log.normal()).contains(LocalDateTime.of(2026, 1, 2, 10, 0, 31, 500_000_000));
    assertThat(JoinLog.of(List.of("nothing")).normal()).isEmpty();
  }

  @Test
  void a_launched_program_gets_further_arguments_before_its_own() throws Exception {
    LaunchScript script = new LaunchScript(temp.resolve("launch"));
    script.with(List.of("-javaagent:/a b.jar=join=true"));

    Process process =
        new ProcessBuilder(script.file().toString(), "/usr/bin/printf", "%s|%s", "@args").start();

    assertThat(new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
        .isEqualTo("-javaagent:/a b.jar=join=true");
    assertThat(process.waitFor()).isZero();
  }

  private Path script(String commands) throws IOException {
    Path script = Files.writeString(temp.resolve("sluice"), "#!/bin/sh\n" + commands);
    Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwx------"));
    return script;
  }

  @ParameterizedTest
  @CsvSource({
    "echo \"$@: no such process\"; exit 1, exit code 1: host join --pid 7: no such process",
    "exit 3, exit code 3: it printed nothing",
  })
  void a_failed_change_of_write_back_says_why(String commands, String words) throws IOException {
    WriteBack writeBack = new WriteBack(script(commands), temp);
    writeBack.begin(7);

    assertThatThrownBy(writeBack::close)
        .isInstanceOf(ClusterFailure.class)
        .hasMessage("sluice host join ended with " + words);
    assertThat(temp.resolve("host-join.log")).doesNotExist();
  }

  @Test
  void a_folder_is_copied_counted_and_deleted() throws Exception {
    Files.createDirectories(temp.resolve("a/data/ks/t"));
    Files.write(temp.resolve("a/data/ks/t/f"), new byte[10]);
    Files.createDirectories(temp.resolve("a/data/other"));
    Files.write(temp.resolve("a/data/other/g"), new byte[5]);

    new FileTree(temp.resolve("a")).copyTo(temp.resolve("b"));

    FileTree copy = new FileTree(temp.resolve("b"));
    assertThat(temp.resolve("b/data/ks/t/f")).hasSize(10);
    assertThat(new FileTree(temp.resolve("b/data")).bytesOf(List.of("ks", "none"))).isEqualTo(10);
    copy.delete();
    assertThat(temp.resolve("b")).doesNotExist();
    copy.delete();
  }

  @Test
  void the_sequential_write_leaves_nothing() {
    assertThat(new FileTree(temp).nanosToWrite(3_000_000)).isPositive();
    assertThat(temp).isEmptyDirectory();
  }

  @Test
  void formats_are_options_of_the_node() {
    ClusterSpec node = ClusterSpec.defaults();
    assertThat(SstableFormat.BIG.in(node)).isEqualTo(node);
    assertThat(SstableFormat.BTI.in(node).config().yaml()).containsKeys("sstable");
  }
}
