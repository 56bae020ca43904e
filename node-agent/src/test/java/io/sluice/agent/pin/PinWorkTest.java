package io.sluice.agent.pin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The work on files, with simulated ways to keep them. */
class PinWorkTest {
  private static final int PAGE = FakeHolds.PAGE;

  @TempDir private Path folder;

  private final FakeHolds fake = new FakeHolds();
  private final Holds holds = new Holds();
  private final List<IndexFile> changed = new ArrayList<>();
  private final PinWork work = new PinWork(holds, fake.locking(), changed::add);

  private IndexFile file(String name, int pages) throws IOException {
    Path path = folder.resolve(name);
    Files.write(path, new byte[pages * PAGE]);
    return new IndexFile("k.t", path.toString(), (long) pages * PAGE, false);
  }

  private int pieces() throws IOException {
    int pieces = 1;
    while (work.proceed()) {
      pieces++;
    }
    return pieces;
  }

  @Test
  void files_are_read_in_the_order_of_the_plan_one_piece_at_a_time() throws IOException {
    IndexFile first = file("nb-2-big-Index.db", 2);
    IndexFile second = file("nb-1-big-Index.db", 1);
    work.keep(List.of(first, second));
    assertThat(holds.heldBytes()).isZero();

    assertThat(work.proceed()).isTrue();
    assertThat(holds.at(first.path()).heldBytes()).isEqualTo(PAGE);
    assertThat(work.proceed()).isTrue();
    assertThat(holds.at(second.path()).heldBytes()).isZero();
    assertThat(work.proceed()).isFalse();
    assertThat(holds.heldBytes()).isEqualTo(3 * PAGE);
    assertThat(work.proceed()).isFalse();
  }

  @Test
  void a_file_that_stays_in_the_plan_is_not_read_again() throws IOException {
    IndexFile stays = file("nb-1-big-Index.db", 2);
    IndexFile goes = file("nb-2-big-Index.db", 2);
    work.keep(List.of(stays, goes));
    pieces();

    work.keep(List.of(stays));

    assertThat(fake.open).containsExactly(stays.path());
    assertThat(holds.heldBytes()).isEqualTo(2 * PAGE);
    assertThat(work.proceed()).isFalse();
    assertThat(changed).isEmpty();
  }

  @Test
  void a_file_that_cannot_be_opened_or_read_is_told_and_the_next_is_kept() throws IOException {
    IndexFile missing = file("nb-1-big-Index.db", 1);
    IndexFile broken = file("nb-2-big-Index.db", 1);
    IndexFile sound = file("nb-3-big-Index.db", 1);
    Files.delete(Path.of(missing.path()));
    work.keep(List.of(missing, broken, sound));
    assertThat(changed).containsExactly(missing);

    fake.refused.add(broken.path());
    pieces();

    assertThat(changed).containsExactly(missing, broken);
    assertThat(fake.open).containsExactly(sound.path());
    assertThat(holds.heldBytes()).isEqualTo(PAGE);
  }

  @Test
  void a_replaced_file_is_released_and_told() throws IOException {
    IndexFile file = file("nb-1-big-Index.db", 2);
    IndexFile other = file("nb-2-big-Index.db", 2);
    work.keep(List.of(file, other));
    work.releaseReplaced();
    assertThat(changed).isEmpty();

    file("nb-1-big-Index.db", 5);

    work.releaseReplaced();
    assertThat(changed).containsExactly(file);
    assertThat(fake.open).containsExactly(other.path());
  }

  @Test
  void a_refused_lock_releases_all_and_another_way_begins_without_files() throws IOException {
    IndexFile file = file("nb-1-big-Index.db", 2);
    work.keep(List.of(file));
    fake.lockable = false;

    assertThatThrownBy(work::proceed).isInstanceOf(LockRefused.class);
    assertThat(fake.open).isEmpty();
    assertThat(work.proceed()).isFalse();

    work.holdBy(fake.touching());
    assertThat(work.mode()).isEqualTo("touched");
    assertThat(work.proceed()).isFalse();
    work.keep(List.of(file));
    assertThat(pieces()).isEqualTo(2);
  }

  @Test
  void another_way_to_keep_files_does_not_go_on_with_those_of_the_first() throws IOException {
    work.keep(List.of(file("nb-1-big-Index.db", 1), file("nb-2-big-Index.db", 2)));
    work.proceed();

    work.holdBy(fake.touching());

    assertThat(fake.open).isEmpty();
    assertThat(work.proceed()).isFalse();
  }

  @Test
  void touched_files_are_read_again_every_ten_seconds() throws IOException {
    work.holdBy(fake.touching());
    work.keep(List.of(file("nb-1-big-Index.db", 2)));
    work.repeat(0);
    assertThat(pieces()).isEqualTo(2);

    work.repeat(PinWork.AGAIN_NANOS - 1);
    assertThat(work.proceed()).isFalse();
    work.repeat(PinWork.AGAIN_NANOS);
    assertThat(pieces()).isEqualTo(2);
  }

  @Test
  void locked_files_are_not_read_again() throws IOException {
    work.keep(List.of(file("nb-1-big-Index.db", 2)));
    pieces();

    work.repeat(PinWork.AGAIN_NANOS);

    assertThat(work.proceed()).isFalse();
  }
}
