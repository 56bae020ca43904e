package io.sluice.agent.pin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.agent.Maps;
import io.sluice.agent.host.Libc;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Real files, locked or touched by this process. */
@EnabledOnOs(OS.LINUX)
class HoldFilesTest {
  private static final int MIB = 1 << 20;

  @TempDir private Path folder;
  private Libc libc;
  private final Holds holds = new Holds();

  @BeforeEach
  void load() throws IOException {
    libc = Libc.load();
  }

  private IndexFile file(String name, int bytes) throws IOException {
    Path path = folder.resolve(name);
    Files.write(path, new byte[bytes]);
    return new IndexFile("k.t", path.toString(), bytes, false);
  }

  private static void finish(Hold hold) throws IOException {
    while (hold.proceed()) {
      assertThat(hold.heldBytes()).isPositive();
    }
  }

  @Test
  void a_file_is_locked_piece_by_piece_and_let_go_as_a_whole() throws IOException {
    IndexFile file = file("nb-1-big-Index.db", 2 * MIB + 5);
    Hold hold = holds.open(new LockingHolder(libc, () -> Long.MAX_VALUE), file);
    assertThat(hold.heldBytes()).isZero();

    assertThat(hold.proceed()).isTrue();
    assertThat(Maps.lockedBytes(folder)).isEqualTo(MIB);
    finish(hold);

    long whole = 2L * MIB + libc.pageSize();
    assertThat(Maps.lockedBytes(folder)).isEqualTo(whole);
    assertThat(holds.heldBytes()).isEqualTo(whole);
    assertThat(holds.residentBytes()).isEqualTo(whole);
    assertThat(holds.heldBytesByTable()).containsEntry("k.t", whole).hasSize(1);

    holds.deleting(folder.resolve("nb-1-big-").toString());
    assertThat(Maps.of(folder)).isEmpty();
    assertThat(holds.heldBytes()).isZero();
    assertThat(hold.proceed()).isFalse();
    hold.close();
  }

  @Test
  void a_file_that_is_another_one_now_is_not_current_nor_held() throws IOException {
    IndexFile file = file("nb-1-big-Summary.db", 100);
    Hold hold = holds.open(new LockingHolder(libc, () -> Long.MAX_VALUE), file);
    assertThat(hold.isCurrent()).isTrue();

    Files.move(
        Path.of(file("other", 100).path()),
        Path.of(file.path()),
        StandardCopyOption.REPLACE_EXISTING);
    assertThat(hold.isCurrent()).isFalse();
    assertThat(Maps.deleted(folder)).hasSize(1);
    holds.release(file.path());
    assertThat(Maps.of(folder)).isEmpty();

    Files.write(Path.of(file.path()), new byte[99]);
    assertThatThrownBy(() -> holds.open(new LockingHolder(libc, () -> Long.MAX_VALUE), file))
        .isInstanceOf(FileChanged.class);
    assertThatThrownBy(() -> holds.open(new TouchingHolder(libc), file))
        .isInstanceOf(FileChanged.class);
    Files.delete(Path.of(file.path()));
    assertThatThrownBy(() -> holds.open(new LockingHolder(libc, () -> Long.MAX_VALUE), file))
        .isInstanceOf(FileChanged.class);
    assertThatThrownBy(() -> holds.open(new TouchingHolder(libc), file))
        .isInstanceOf(FileChanged.class);
    assertThat(Maps.of(folder)).isEmpty();
  }

  @Test
  void a_touched_file_is_read_over_and_over_and_never_kept_open() throws IOException {
    IndexFile file = file("nb-1-big-Index.db", MIB + 5);
    Hold hold = holds.open(new TouchingHolder(libc), file);

    finish(hold);
    long whole = (long) MIB + libc.pageSize();
    assertThat(hold.heldBytes()).isEqualTo(whole);
    assertThat(hold.residentBytes()).isEqualTo(whole);
    assertThat(Maps.of(folder)).isEmpty();
    assertThat(hold.proceed()).isTrue();
    assertThat(hold.heldBytes()).isEqualTo(whole);

    Files.delete(Path.of(file.path()));
    assertThat(hold.isCurrent()).isFalse();
    assertThatThrownBy(hold::proceed).isInstanceOf(FileChanged.class);
    hold.close();
    assertThat(hold.proceed()).isFalse();
    assertThat(hold.residentBytes()).isZero();
  }

  @Test
  void without_the_c_library_residency_is_unknown() throws IOException {
    holds.open(new TouchingHolder(null), file("nb-1-big-Index.db", 5));

    assertThat(holds.residentBytes()).isEqualTo(-1);
  }

  @Test
  void a_file_whose_sstable_is_being_deleted_is_not_held_any_more() throws IOException {
    IndexFile file = file("nb-1-big-Index.db", 5);
    holds.deleting(folder.resolve("nb-1-big-").toString());

    assertThat(holds.open(new LockingHolder(libc, () -> Long.MAX_VALUE), file)).isNull();
    assertThat(Maps.of(folder)).isEmpty();

    assertThat(holds.deleted()).containsExactly(folder.resolve("nb-1-big-").toString());
    holds.forget(holds.deleted());
    assertThat(holds.open(new LockingHolder(libc, () -> Long.MAX_VALUE), file)).isNotNull();
    holds.closeAll();
    assertThat(Maps.of(folder)).isEmpty();
    assertThat(holds.open(new LockingHolder(libc, () -> Long.MAX_VALUE), file)).isNull();
    assertThat(Maps.of(folder)).isEmpty();
  }

  /**
   * One thread opens and locks files while the other deletes them: no deleted file stays mapped.
   */
  @Test
  void nothing_deleted_is_held_whichever_thread_is_first() throws Exception {
    List<IndexFile> files = new ArrayList<>();
    for (int i = 0; i < 400; i++) {
      files.add(file("nb-" + i + "-big-Index.db", 3 * libc.pageSize()));
    }
    AtomicReference<Throwable> failure = new AtomicReference<>();
    Thread deletes =
        new Thread(
            () -> {
              for (IndexFile each : files) {
                holds.deleting(each.path().substring(0, each.path().lastIndexOf('-') + 1));
                if (!Path.of(each.path()).toFile().delete()) {
                  failure.set(new IOException(each.path()));
                }
              }
            });
    deletes.start();
    for (IndexFile each : files) {
      try {
        Hold hold = holds.open(new LockingHolder(libc, () -> Long.MAX_VALUE), each);
        if (hold != null) {
          finish(hold);
        }
      } catch (FileChanged e) {
        assertThat(Path.of(each.path())).doesNotExist();
      }
    }
    deletes.join();

    assertThat(failure.get()).isNull();
    assertThat(Maps.of(folder)).isEmpty();
    assertThat(holds.size()).isZero();
  }
}
