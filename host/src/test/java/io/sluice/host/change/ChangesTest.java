package io.sluice.host.change;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.host.change.Ledger.Entry;
import io.sluice.host.kernel.Folder;
import io.sluice.host.kernel.ModelKernel;
import io.sluice.host.tree.HostTree;
import java.io.IOException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ChangesTest {
  private static final String RATIO = "/proc/sys/vm/dirty_ratio";
  private static final String BYTES = "/proc/sys/vm/dirty_bytes";
  private static final String EXPIRE = "/proc/sys/vm/dirty_expire_centisecs";
  private static final List<Entry.Kind> ALL = List.of(Entry.Kind.values());

  @TempDir private Path temp = Path.of("");
  private Folder folder = new Folder(temp);
  private HostTree tree = new ModelKernel(folder);
  private final List<String> said = new ArrayList<>();

  @BeforeEach
  void prepare() {
    folder = new Folder(temp).kernel();
    tree = new ModelKernel(folder);
  }

  private Changes begin() throws IOException {
    return Changes.begin(tree, said::add);
  }

  @Test
  void each_write_is_reported_with_both_values() throws IOException {
    try (Changes changes = begin()) {
      changes.apply(Entry.Kind.APPLY, Map.of(RATIO, "60"));
    }
    assertThat(said).containsExactly(RATIO + ": 20 -> 60");
  }

  @Test
  void the_record_is_there_before_the_first_write() throws IOException {
    tree = new ModelKernel(folder, 1);
    try (Changes changes = begin()) {
      assertThatThrownBy(() -> changes.apply(Entry.Kind.APPLY, Map.of(RATIO, "60")))
          .isInstanceOf(ModelKernel.Killed.class);
    }
    assertThat(folder.text(RATIO)).isEqualTo("20\n");
    assertThat(new Ledger(tree).entries()).singleElement().satisfies(this::hasBothLimits);
  }

  private void hasBothLimits(Entry entry) {
    assertThat(entry.changes())
        .containsExactly(new Change(RATIO, "20", "60"), new Change(BYTES, "0", null));
  }

  @Test
  void the_limit_of_dirty_pages_that_was_set_is_restored() throws IOException {
    folder.vm("dirty_ratio", "0").vm("dirty_bytes", "4096000");
    Map<String, String> before = folder.snapshot();
    try (Changes changes = begin()) {
      changes.apply(Entry.Kind.APPLY, Map.of(RATIO, "60"));
      assertThat(folder.text(BYTES)).isEqualTo("0\n");
      assertThat(changes.undo(ALL)).isEmpty();
    }
    assertThat(folder.snapshot()).isEqualTo(before);
  }

  @Test
  void the_free_memory_that_huge_pages_raise_is_restored() throws IOException {
    String free = "/proc/sys/vm/min_free_kbytes";
    Map<String, String> before = folder.snapshot();
    try (Changes changes = begin()) {
      changes.apply(
          Entry.Kind.APPLY, Map.of("/sys/kernel/mm/transparent_hugepage/enabled", "madvise"));
      assertThat(folder.text(free)).isEqualTo("67584\n");
      assertThat(changes.undo(ALL)).isEmpty();
    }
    assertThat(folder.snapshot()).isEqualTo(before).containsEntry(free, "16384\n");
  }

  @Test
  void an_idle_time_of_bfq_keeps_its_fraction_of_a_millisecond() throws IOException {
    String idle = "/sys/block/sda/queue/iosched/slice_idle";
    folder.disk("sda", "none [bfq]", false, 128);
    new ModelKernel(folder).boot().write(idle + "_us", "7500");
    Map<String, String> before = folder.snapshot();
    try (Changes changes = begin()) {
      changes.apply(Entry.Kind.APPLY, Map.of(idle, "0"));
      assertThat(folder.text(idle + "_us")).isEqualTo("0\n");
      assertThat(changes.undo(ALL)).isEmpty();
    }
    assertThat(folder.snapshot()).isEqualTo(before).containsEntry(idle + "_us", "7500\n");
  }

  @Test
  void a_refused_value_is_reported_and_the_others_are_written() throws IOException {
    try (Changes changes = begin()) {
      List<String> refused =
          changes.apply(
              Entry.Kind.APPLY,
              new java.util.LinkedHashMap<>(Map.of("/proc/sys/vm/not_there", "1", RATIO, "60")));
      assertThat(refused).containsExactly("/proc/sys/vm/not_there does not exist");
    }
    assertThat(folder.text(RATIO)).isEqualTo("60\n");
  }

  @Test
  void one_process_holds_the_lock_at_a_time() throws IOException {
    Changes first = begin();
    assertThatThrownBy(this::begin)
        .isInstanceOf(IOException.class)
        .hasMessageContaining("process " + ProcessHandle.current().pid());
    first.close();
    begin().close();
  }

  @Test
  void the_next_command_undoes_a_killed_join() throws IOException {
    try (Changes changes = begin()) {
      changes.apply(Entry.Kind.JOIN, Map.of(RATIO, "60"));
    }
    begin().close();
    assertThat(folder.text(RATIO)).isEqualTo("20\n");
    assertThat(said).last().isEqualTo(RATIO + ": 60 -> 20");
  }

  @Test
  void the_next_command_keeps_applied_changes() throws IOException {
    try (Changes changes = begin()) {
      changes.apply(Entry.Kind.APPLY, Map.of(RATIO, "60"));
    }
    begin().close();
    assertThat(folder.text(RATIO)).isEqualTo("60\n");
  }

  @Test
  void a_record_of_an_earlier_boot_changes_nothing() throws IOException {
    try (Changes changes = begin()) {
      changes.apply(Entry.Kind.APPLY, Map.of(RATIO, "60"));
    }
    folder.file("/proc/sys/kernel/random/boot_id", "second-boot\n").vm("dirty_ratio", "15");
    assertThat(new Ledger(tree).entries()).isEmpty();
    try (Changes changes = begin()) {
      assertThat(changes.undo(ALL)).isEmpty();
    }
    assertThat(folder.text(RATIO)).isEqualTo("15\n");
    assertThat(tree.list(Ledger.FOLDER)).containsExactly("lock");
  }

  @Test
  void the_record_of_a_removed_device_is_not_kept() throws IOException {
    String readAhead = "/sys/block/sdc/queue/read_ahead_kb";
    folder.disk("sdc", "[none] bfq", false, 128);
    try (Changes changes = begin()) {
      changes.apply(Entry.Kind.APPLY, Map.of(readAhead, "4", RATIO, "60"));
    }
    Path gone = temp.resolve("sys/block/sdc");
    try (var files = java.nio.file.Files.walk(gone)) {
      for (Path file : files.sorted(java.util.Comparator.reverseOrder()).toList()) {
        java.nio.file.Files.delete(file);
      }
    }
    try (Changes changes = begin()) {
      assertThat(changes.undo(ALL)).isEmpty();
    }
    assertThat(folder.text(RATIO)).isEqualTo("20\n");
  }

  @Test
  void a_value_that_cannot_be_restored_is_reported_and_its_record_stays() throws IOException {
    try (Changes changes = begin()) {
      changes.apply(Entry.Kind.APPLY, Map.of(RATIO, "60"));
    }
    java.nio.file.Files.delete(temp.resolve("proc/sys/vm/dirty_ratio"));
    try (Changes changes = begin()) {
      assertThat(changes.undo(ALL)).containsExactly(RATIO + " does not exist");
    }
    assertThat(said).last().isEqualTo("not undone: " + RATIO + " does not exist");
    assertThat(new Ledger(tree).entries()).hasSize(1);
  }

  @Test
  void a_setting_that_is_adjusted_repeatedly_gets_its_first_value_back() throws IOException {
    try (Changes changes = begin()) {
      changes.adjust(Entry.Kind.MEMORY, RATIO, "60");
      changes.adjust(Entry.Kind.MEMORY, RATIO, "50");
      changes.adjust(Entry.Kind.JOIN, RATIO, "40");
      assertThat(new Ledger(tree).entries()).as("one record of each kind").hasSize(2);
      assertThat(folder.text(RATIO)).isEqualTo("40\n");

      assertThat(changes.undo(List.of(Entry.Kind.JOIN))).isEmpty();
      assertThat(folder.text(RATIO)).isEqualTo("50\n");
      assertThat(changes.undo(ALL)).isEmpty();
    }
    assertThat(folder.text(RATIO)).isEqualTo("20\n");
  }

  private void apply(Entry.Kind kind, Map<String, String> wanted) throws IOException {
    try (Changes changes = begin()) {
      changes.apply(kind, wanted);
    }
  }

  private List<String> undo() throws IOException {
    try (Changes changes = begin()) {
      return changes.undo(ALL);
    }
  }

  @Test
  void an_undo_after_a_partial_one_restores_the_oldest_value() throws IOException {
    apply(Entry.Kind.APPLY, Map.of(RATIO, "40"));
    apply(Entry.Kind.APPLY, Map.of(RATIO, "60", EXPIRE, "12000"));
    java.nio.file.Files.delete(temp.resolve(EXPIRE.substring(1)));

    assertThat(undo()).containsExactly(EXPIRE + " does not exist");
    assertThat(folder.text(RATIO)).isEqualTo("20\n");

    folder.file(EXPIRE, "12000\n");
    assertThat(undo()).isEmpty();
    assertThat(folder.text(RATIO)).isEqualTo("20\n");
    assertThat(folder.text(EXPIRE)).isEqualTo("3000\n");
    assertThat(new Ledger(tree).entries()).isEmpty();
  }

  @Test
  void a_partial_undo_keeps_no_records_of_other_files() throws IOException {
    apply(Entry.Kind.APPLY, Map.of(RATIO, "40"));
    apply(Entry.Kind.APPLY, Map.of(EXPIRE, "12000"));
    java.nio.file.Files.delete(temp.resolve(EXPIRE.substring(1)));

    assertThat(undo()).hasSize(1);

    assertThat(new Ledger(tree).entries()).extracting(Entry::number).containsExactly(2);
    assertThat(folder.text(RATIO)).isEqualTo("20\n");
  }

  @Test
  void a_killed_join_that_could_not_be_undone_does_not_undo_what_came_later() throws IOException {
    apply(Entry.Kind.JOIN, Map.of(RATIO, "60", EXPIRE, "12000"));
    java.nio.file.Files.delete(temp.resolve(EXPIRE.substring(1)));
    apply(Entry.Kind.APPLY, Map.of(RATIO, "30"));
    folder.file(EXPIRE, "12000\n");

    begin().close();
    assertThat(folder.text(RATIO)).isEqualTo("30\n");

    assertThat(undo()).isEmpty();
    assertThat(folder.text(RATIO)).isEqualTo("20\n");
    assertThat(folder.text(EXPIRE)).isEqualTo("3000\n");
  }

  @Test
  void the_records_of_a_killed_join_are_undone_from_the_newest() throws IOException {
    try (Changes changes = begin()) {
      changes.apply(Entry.Kind.JOIN, Map.of(RATIO, "60"));
      changes.apply(Entry.Kind.JOIN, Map.of(RATIO, "70"));
    }

    begin().close();

    assertThat(folder.text(RATIO)).isEqualTo("20\n");
    assertThat(new Ledger(tree).entries()).isEmpty();
  }

  @Test
  void a_file_that_cannot_be_read_does_not_keep_the_others_from_being_restored()
      throws IOException {
    apply(Entry.Kind.APPLY, Map.of(RATIO, "60", EXPIRE, "12000"));
    tree = new ModelKernel(folder).unreadable(EXPIRE);

    assertThat(undo()).containsExactly(EXPIRE + ": Input/output error");

    assertThat(folder.text(RATIO)).isEqualTo("20\n");
    assertThat(said).contains(EXPIRE + ": (unreadable) -> 3000");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/proc/sys/kernel/core_pattern",
        "/proc/sys/vm/../kernel/core_pattern",
        "/sys/block/../kernel/queue/uevent_helper",
        "/sys/block/sda/queue/iosched/../../uevent",
        "/etc/passwd"
      })
  void a_record_restores_only_settings_that_a_command_can_change(String path) throws IOException {
    tree.lock(Ledger.lockPath()).close();
    String record = "sluice host 1\tJOIN\tfirst-boot\n" + path + "\t=|sh\t=core\nend\n";
    tree.replace(Ledger.FOLDER + "/0001-join", record);

    assertThatThrownBy(this::begin)
        .hasMessage(
            "%s/0001-join cannot be read: not a setting of 'sluice host': %s", Ledger.FOLDER, path);
  }

  @Test
  void what_a_record_could_not_restore_is_not_changed() throws IOException {
    folder.file("/proc/sys/kernel/core_pattern", "core\n");

    try (Changes changes = begin()) {
      Map<String, String> wanted = Map.of("/proc/sys/kernel/core_pattern", "|sh");
      assertThatThrownBy(() -> changes.apply(Entry.Kind.APPLY, wanted))
          .isInstanceOf(IllegalArgumentException.class);
    }

    assertThat(folder.text("/proc/sys/kernel/core_pattern")).isEqualTo("core\n");
  }

  @Test
  void records_that_others_can_write_are_neither_shown_nor_undone() throws IOException {
    try (Changes changes = begin()) {
      changes.apply(Entry.Kind.JOIN, Map.of(RATIO, "60"));
    }
    java.nio.file.Files.setPosixFilePermissions(
        temp.resolve(Ledger.FOLDER.substring(1)), PosixFilePermissions.fromString("rwxrwxrwx"));

    assertThatThrownBy(this::begin).hasMessageContaining("can be written by other users");
    assertThatThrownBy(() -> new Ledger(tree).entries())
        .hasMessageContaining("can be written by other users");
    assertThat(folder.text(RATIO)).isEqualTo("60\n");
  }

  @Test
  void an_incomplete_record_is_refused() {
    assertThatThrownBy(() -> Entry.of(1, "sluice host 1\tAPPLY\tboot\n" + RATIO + "\t=20\t=60\n"))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
