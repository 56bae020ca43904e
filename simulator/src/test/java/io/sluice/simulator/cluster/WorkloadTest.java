package io.sluice.simulator.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.sluice.simulator.cluster.ClusterSetting.Load;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Tests the reads that clients send. */
class WorkloadTest {
  private static final int MANY = 20_000;

  private final SplittableRandom random = new SplittableRandom(1);

  private List<Read> reads(Load load) {
    Workload workload = new Workload(load, random.split());
    return Stream.generate(() -> workload.next(random)).limit(MANY).toList();
  }

  @Test
  void point_reads_have_the_configured_share() {
    long points = reads(new Load(1, 0, 0.3, 10, 0)).stream().filter(Read::point).count();

    assertThat((double) points / MANY).isCloseTo(0.3, within(0.02));
  }

  @Test
  void a_share_of_all_or_none_is_exact() {
    assertThat(reads(new Load(1, 0, 1, 10, 0))).allMatch(Read::point);
    assertThat(reads(new Load(1, 0, 0, 10, 0))).noneMatch(Read::point);
  }

  @Test
  void limits_of_range_reads_are_equally_likely_and_that_of_a_point_read_is_one() {
    Map<Integer, Integer> limits = new HashMap<>();
    reads(new Load(1, 0, 0, 4, 0)).forEach(read -> limits.merge(read.limit(), 1, Integer::sum));

    assertThat(limits).containsOnlyKeys(1, 2, 3, 4);
    assertThat(limits.values())
        .allSatisfy(n -> assertThat((double) n / MANY).isCloseTo(0.25, within(0.02)));
    assertThat(reads(new Load(1, 0, 1, 3, 4, 1, 0, 0, 0, 0))).allMatch(read -> read.limit() == 1);
  }

  @Test
  void small_range_reads_have_their_share_and_their_limits() {
    Load load = new Load(1, 0, 0.5, 30, 31, 1, 0, 0, 0, 0).withSmall(0.25, 2);
    Map<Integer, Integer> limits = new HashMap<>();
    List<Read> ranges = reads(load).stream().filter(read -> !read.point()).toList();
    ranges.forEach(read -> limits.merge(read.limit(), 1, Integer::sum));

    assertThat(limits).containsOnlyKeys(1, 2, 30, 31);
    assertThat((limits.get(1) + limits.get(2)) / (double) ranges.size())
        .isCloseTo(0.25, within(0.02));
  }

  @Test
  void without_skew_hardly_any_key_is_read_twice() {
    long different =
        reads(new Load(1, 0, 1, 1, 0)).stream().mapToLong(Read::token).distinct().count();

    assertThat(different).isGreaterThan(MANY - 5);
  }

  /** By Zipf's law with exponent 1 and 100,000 keys, the first key has 1 / H(100,000) = 8.27 %. */
  @Test
  void with_skew_the_most_popular_key_has_its_share_by_zipfs_law() {
    Map<Long, Integer> tokens = new HashMap<>();
    reads(new Load(1, 0, 1, 1, 1)).forEach(read -> tokens.merge(read.token(), 1, Integer::sum));
    List<Integer> counts = tokens.values().stream().sorted((a, b) -> b - a).toList();

    assertThat((double) counts.get(0) / MANY).isCloseTo(0.0827, within(0.008));
    assertThat((double) counts.get(1) / MANY).isCloseTo(0.0414, within(0.006));
  }

  @Test
  void popular_keys_lie_anywhere_on_the_ring() {
    double mean =
        reads(new Load(1, 0, 1, 1, 0.5)).stream()
            .mapToDouble(read -> read.token() / 0x1p63)
            .average()
            .orElseThrow();

    assertThat(mean).isCloseTo(0, within(0.05));
  }

  @Test
  void no_read_uses_the_minimum_token() {
    Workload workload = new Workload(new Load(1, 0, 1, 1, 0), random);

    assertThat(Stream.generate(() -> workload.next(random)).limit(MANY))
        .noneMatch(read -> read.token() == Long.MIN_VALUE);
  }
}
