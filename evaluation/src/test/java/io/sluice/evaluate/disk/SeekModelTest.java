package io.sluice.evaluate.disk;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** A disk of 100 MiB with seeks of 1 to 11 ms, half a turn of 4 ms, and 100 MB/s. */
class SeekModelTest {
  private static final DiskShape SHAPE = new DiskShape(100, 1, 11, 8, 100);
  private static final long MILLI = 1_000_000;
  private static final long MIB = 1 << 20;

  private final SeekModel model = new SeekModel(SHAPE);

  @Test
  void a_sequential_request_takes_only_its_transfer_time() {
    assertThat(model.nanos(0, 100_000)).isEqualTo(MILLI);
    assertThat(model.nanos(100_000, 200_000)).isEqualTo(2 * MILLI);
  }

  @Test
  void a_seek_back_takes_time_by_the_root_of_its_distance_and_half_a_turn() {
    model.nanos(0, 25 * MIB);

    assertThat(model.nanos(0, 0)).isEqualTo((1 + 5 + 4) * MILLI);
  }

  @Test
  void the_whole_disk_is_the_longest_seek() {
    model.nanos(100 * MIB, 0);

    assertThat(model.nanos(0, 0)).isEqualTo((11 + 4) * MILLI);
  }

  @Test
  void a_short_gap_takes_its_transfer_time_and_a_long_one_a_seek() {
    assertThat(model.nanos(100_000, 0)).isEqualTo(MILLI);
    assertThat(model.nanos(50 * MIB, 0)).isLessThan(50 * MIB * 10).isGreaterThan(5 * MILLI);
  }

  @Test
  void the_same_requests_take_the_same_time() {
    assertThat(times()).isEqualTo(times());
  }

  private static List<Long> times() {
    SeekModel disk = new SeekModel(SHAPE);
    SplittableRandom random = new SplittableRandom(7);
    List<Long> times = new ArrayList<>();
    for (int i = 0; i < 1000; i++) {
      times.add(disk.nanos(random.nextLong(SHAPE.bytes()), random.nextInt(100_000)));
    }
    return times;
  }

  @Test
  void only_a_request_away_from_the_head_seeks() {
    model.nanos(0, 10);

    assertThat(model.seeks(10)).isFalse();
    assertThat(model.seeks(0)).isTrue();
  }
}
