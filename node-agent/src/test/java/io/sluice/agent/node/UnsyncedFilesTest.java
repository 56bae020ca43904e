package io.sluice.agent.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import org.junit.jupiter.api.Test;

class UnsyncedFilesTest {
  private final UnsyncedFiles files = new UnsyncedFiles();

  private void lines(String text) {
    text.lines().forEach(files::line);
  }

  @Test
  void data_written_after_the_last_sync_began_may_be_lost() {
    lines(
        """
        7 openat(AT_FDCWD</>, "/t/a", O_RDWR|O_CREAT|O_EXCL, 0666) = 5</t/a>
        7 write(5</t/a>, ""..., 10) = 10
        7 fdatasync(5</t/a>) = 0
        7 openat(AT_FDCWD</>, "/t/b", O_RDWR|O_CREAT|O_EXCL, 0666) = 6</t/b>
        7 pwrite64(6</t/b>, ""..., 10, 0) = 10
        8 fsync(6</t/b> <unfinished ...>
        7 write(6</t/b>, ""..., 10) = 10
        8 <... fsync resumed>) = 0
        """);
    assertThat(files.unsynced()).containsExactly(entry("/t/b", 10L));
    assertThat(files.unnamed()).containsExactlyInAnyOrder("/t/a", "/t/b");
  }

  @Test
  void a_sync_counts_when_it_has_ended_and_did_not_fail() {
    lines(
        """
        7 write(5</t/a>, ""..., 10) = 10
        7 write(5</t/b>, ""..., 10) = 10
        7 fsync(5</t/b>) = -1 EIO (Input/output error)
        7 fsync(5</t/a> <unfinished ...>
        """);
    assertThat(files.unsynced()).containsOnlyKeys("/t/a", "/t/b");
    lines("7 <... fsync resumed>) = 0");
    assertThat(files.unsynced()).containsOnlyKeys("/t/b");
  }

  @Test
  void a_write_that_ends_after_a_sync_began_is_not_synced() {
    lines(
        """
        7 write(5</t/a>, ""..., 10 <unfinished ...>
        8 fsync(5</t/a> <unfinished ...>
        7 <... write resumed>) = 10
        8 <... fsync resumed>) = 0
        """);
    assertThat(files.unsynced()).containsOnlyKeys("/t/a");
  }

  @Test
  void a_name_is_durable_when_its_own_folder_was_synced_after_it() {
    lines(
        """
        7 openat(AT_FDCWD</>, "/t/a", O_WRONLY|O_CREAT, 0666) = 5</t/a>
        7 openat(AT_FDCWD</>, "/t/i/b", O_WRONLY|O_CREAT, 0666) = 5</t/i/b>
        7 fsync(9</t>) = 0
        7 openat(AT_FDCWD</>, "/t/c", O_WRONLY|O_CREAT, 0666) = 5</t/c>
        7 openat(AT_FDCWD</>, "/t/a", O_WRONLY|O_CREAT|O_APPEND, 0666) = 5</t/a>
        """);
    assertThat(files.unnamed()).containsExactlyInAnyOrder("/t/i/b", "/t/c");
  }

  @Test
  void a_renamed_file_keeps_its_contents_and_an_unlinked_one_has_none() {
    lines(
        """
        7 write(5</t/a.tmp>, ""..., 10) = 10
        7 rename("/t/a.tmp", "/t/a") = 0
        7 write(5</t/b>, ""..., 10) = 10
        7 unlink("/t/b") = 0
        """);
    assertThat(files.unsynced()).containsOnlyKeys("/t/a");
  }
}
