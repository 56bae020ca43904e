package io.sluice.agent.pin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.db.lifecycle.Tracker;
import org.apache.cassandra.io.sstable.format.SSTableReader;
import org.apache.cassandra.io.sstable.format.SSTableReader.OpenReason;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LiveFilesTest {
  @TempDir private Path folder;

  private final LiveFiles files = files("", "");
  private final Tracker tracker = new Tracker(new ColumnFamilyStore("shop", "orders"));

  private static LiveFiles files(String include, String exclude) {
    return new LiveFiles(
        new ReflectedLists(), PinSettings.parse("1MiB", include, exclude, new ArrayList<>()));
  }

  private SSTableReader sstable(String name, OpenReason reason, String... components)
      throws IOException {
    for (String each : components) {
      Files.writeString(folder.resolve(name + "-" + each), each);
    }
    return new SSTableReader(folder.resolve(name + "-Data.db").toString(), reason);
  }

  private List<String> names() {
    return files.all().stream()
        .map(each -> Path.of(each.path()).getFileName().toString())
        .sorted()
        .toList();
  }

  @Test
  void the_index_files_of_both_formats_are_found_with_their_sizes() throws Exception {
    tracker.show(
        Set.of(
            sstable(
                "nb-1-big", OpenReason.NORMAL, "Index.db", "Summary.db", "Filter.db", "Data.db"),
            sstable("da-2-bti", OpenReason.MOVED_START, "Partitions.db", "Rows.db", "TOC.txt")));
    files.changed(tracker);

    assertThat(files.refresh()).isTrue();

    assertThat(names())
        .containsExactly(
            "da-2-bti-Partitions.db",
            "da-2-bti-Rows.db",
            "nb-1-big-Filter.db",
            "nb-1-big-Index.db",
            "nb-1-big-Summary.db");
    assertThat(files.all())
        .allMatch(each -> each.bytes() == suffix(each).length())
        .allMatch(each -> each.table().equals("shop.orders"))
        .allMatch(
            each ->
                each.copied()
                    == (suffix(each).equals("Summary.db") || suffix(each).equals("Filter.db")));
    assertThat(files.tables()).containsExactly("shop.orders");
  }

  private static String suffix(IndexFile file) {
    return file.path().substring(file.path().lastIndexOf('-') + 1);
  }

  @Test
  void files_that_are_still_written_wait_until_they_are_complete() throws Exception {
    tracker.show(Set.of(sstable("nb-1-big", OpenReason.EARLY, "Index.db")));
    files.changed(tracker);
    files.refresh();
    assertThat(names()).isEmpty();

    tracker.show(Set.of(sstable("nb-1-big", OpenReason.NORMAL, "Index.db")));
    files.changed(tracker);
    files.refresh();
    assertThat(names()).containsExactly("nb-1-big-Index.db");
  }

  @Test
  void removed_sstables_disappear_and_nothing_is_read_without_a_change() throws Exception {
    tracker.show(Set.of(sstable("nb-1-big", OpenReason.NORMAL, "Index.db")));
    files.changed(tracker);
    files.refresh();
    assertThat(files.refresh()).isFalse();

    tracker.show(Set.of());
    assertThat(files.refresh()).isFalse();
    assertThat(names()).hasSize(1);
    files.changed(tracker);
    assertThat(files.refresh()).isTrue();
    assertThat(names()).isEmpty();
    assertThat(files.tables()).isEmpty();
  }

  @Test
  void a_file_that_is_distrusted_is_measured_anew() throws Exception {
    tracker.show(Set.of(sstable("nb-1-big", OpenReason.NORMAL, "Index.db", "Summary.db")));
    files.changed(tracker);
    files.refresh();
    Files.writeString(folder.resolve("nb-1-big-Summary.db"), "longer than before");
    IndexFile summary =
        files.all().stream().filter(each -> suffix(each).equals("Summary.db")).findAny().get();

    files.distrust(summary);

    assertThat(files.refresh()).isTrue();
    assertThat(files.all())
        .filteredOn(each -> each.equals(summary))
        .singleElement()
        .extracting(IndexFile::bytes)
        .isEqualTo(18L);
    files.distrust(new IndexFile("shop.orders", "/none", 1, false));
    assertThat(files.refresh()).isFalse();
  }

  @Test
  void tables_that_are_not_wanted_and_trackers_without_a_table_are_left_alone() throws Exception {
    LiveFiles some = files("", "shop");
    tracker.show(Set.of(sstable("nb-1-big", OpenReason.NORMAL, "Index.db")));
    some.changed(tracker);
    some.changed(new Tracker(null));

    assertThat(some.refresh()).isFalse();
    assertThat(some.all()).isEmpty();
  }

  @Test
  void an_object_that_is_no_tracker_is_an_error() {
    files.changed("no tracker");

    assertThatThrownBy(files::refresh).isInstanceOf(NoSuchFieldException.class);
  }
}
