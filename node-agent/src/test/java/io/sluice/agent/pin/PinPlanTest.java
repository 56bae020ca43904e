package io.sluice.agent.pin;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PinPlanTest {
  private static final int PAGE = 4;

  private static IndexFile index(String table, String name, long bytes) {
    return new IndexFile(table, name, bytes, false);
  }

  private static IndexFile copied(String table, String name, long bytes) {
    return new IndexFile(table, name, bytes, true);
  }

  private static List<String> names(List<IndexFile> files) {
    return files.stream().map(IndexFile::path).toList();
  }

  @Test
  void the_table_with_most_reads_for_each_byte_comes_first() {
    List<IndexFile> files = List.of(index("k.large", "l", 100), index("k.small", "s", 10));

    PinPlan plan = new PinPlan(files, Map.of("k.large", 500.0, "k.small", 60.0), Set.of());

    assertThat(names(plan.within(1000, PAGE, 9))).containsExactly("s", "l");
    assertThat(names(plan.within(99, PAGE, 9))).containsExactly("s");
    assertThat(names(plan.within(1000, PAGE, 1))).containsExactly("s");
  }

  @Test
  void the_bytes_of_a_table_are_those_of_all_its_indexes() {
    List<IndexFile> files =
        List.of(index("k.a", "a1", 10), index("k.a", "a2", 90), index("k.b", "b", 50));

    PinPlan plan = new PinPlan(files, Map.of("k.a", 90.0, "k.b", 50.0), Set.of());

    assertThat(names(plan.within(1000, PAGE, 9))).containsExactly("b", "a1", "a2");
  }

  @Test
  void files_that_cassandra_copies_come_after_every_index() {
    List<IndexFile> files =
        List.of(copied("k.hot", "filter", 10), index("k.hot", "i", 10), index("k.cold", "c", 10));

    PinPlan plan = new PinPlan(files, Map.of("k.hot", 1000.0, "k.cold", 1.0), Set.of());

    assertThat(names(plan.within(1000, PAGE, 9))).containsExactly("i", "c", "filter");
  }

  @Test
  void a_table_that_is_not_read_gets_nothing_nor_one_that_has_no_index() {
    List<IndexFile> files = List.of(index("k.a", "a", 10), copied("k.b", "b", 10));

    PinPlan plan = new PinPlan(files, Map.of("k.b", 5.0, "k.gone", 7.0), Set.of());

    assertThat(plan.within(1000, PAGE, 9)).isEmpty();
    assertThat(plan.wantedBytes(PAGE)).isZero();
  }

  @Test
  void a_file_that_does_not_fit_leaves_its_place_to_the_next() {
    List<IndexFile> files = List.of(index("k.a", "large", 100), index("k.a", "small", 10));

    PinPlan plan = new PinPlan(files, Map.of("k.a", 5.0), Set.of());

    assertThat(names(plan.within(50, PAGE, 9))).containsExactly("small");
    assertThat(plan.wantedBytes(PAGE)).isEqualTo(112);
  }

  @Test
  void whole_pages_count() {
    PinPlan plan = new PinPlan(List.of(index("k.a", "a", 9)), Map.of("k.a", 1.0), Set.of());

    assertThat(plan.within(11, PAGE, 9)).isEmpty();
    assertThat(plan.within(12, PAGE, 9)).hasSize(1);
  }

  @Test
  void a_held_file_stays_until_another_has_half_as_many_reads_again() {
    List<IndexFile> files = List.of(index("k.held", "h", 10), index("k.new", "n", 10));

    PinPlan almost = new PinPlan(files, Map.of("k.held", 100.0, "k.new", 149.0), Set.of("h"));
    PinPlan enough = new PinPlan(files, Map.of("k.held", 100.0, "k.new", 151.0), Set.of("h"));

    assertThat(names(almost.within(12, PAGE, 9))).containsExactly("h");
    assertThat(names(enough.within(12, PAGE, 9))).containsExactly("n");
  }

  /**
   * Of all subsets that fit, the plan is the one with the best ranked file, then the second best,
   * and so on.
   */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void it_is_the_best_of_all_subsets(long seed) {
    Random random = new Random(seed);
    for (int round = 0; round < 300; round++) {
      List<IndexFile> files = new ArrayList<>();
      Set<String> held = new HashSet<>();
      for (int i = random.nextInt(10); i > 0; i--) {
        String path = "file" + random.nextInt(1000) + "-" + i;
        files.add(
            new IndexFile(
                "k.t" + random.nextInt(3), path, 1 + random.nextInt(40), random.nextInt(4) == 0));
        if (random.nextBoolean()) {
          held.add(path);
        }
      }
      Map<String, Double> reads = new HashMap<>();
      for (int i = 0; i < 3; i++) {
        if (random.nextInt(4) > 0) {
          reads.put("k.t" + i, (double) random.nextInt(5));
        }
      }
      long budget = random.nextInt(120);
      int most = random.nextInt(8);

      List<IndexFile> chosen = new PinPlan(files, reads, held).within(budget, PAGE, most);

      assertThat(names(chosen))
          .as("%s held %s reads %s budget %d most %d", files, held, reads, budget, most)
          .isEqualTo(best(files, reads, held, budget, most));
      assertThat(chosen.stream().mapToLong(each -> rounded(each.bytes())).sum())
          .isLessThanOrEqualTo(budget);
    }
  }

  private static long rounded(long bytes) {
    long pages = bytes / PAGE;
    return (bytes % PAGE == 0 ? pages : pages + 1) * PAGE;
  }

  private static List<String> best(
      List<IndexFile> files, Map<String, Double> reads, Set<String> held, long budget, int most) {
    List<IndexFile> wanted = new ArrayList<>();
    for (IndexFile each : files) {
      if (heat(each, files, reads, held) > 0) {
        wanted.add(each);
      }
    }
    wanted.sort(
        Comparator.comparing((IndexFile each) -> each.copied() ? 1 : 0)
            .thenComparing(each -> -heat(each, files, reads, held))
            .thenComparing(IndexFile::path));
    int size = wanted.size();
    String bestMask = "";
    for (int mask = 0; mask < 1 << size; mask++) {
      long bytes = 0;
      StringBuilder bits = new StringBuilder();
      for (int i = 0; i < size; i++) {
        boolean in = (mask >> i & 1) == 1;
        bits.append(in ? '1' : '0');
        bytes += in ? rounded(wanted.get(i).bytes()) : 0;
      }
      if (bytes <= budget
          && Integer.bitCount(mask) <= most
          && bits.toString().compareTo(bestMask) > 0) {
        bestMask = bits.toString();
      }
    }
    List<String> result = new ArrayList<>();
    for (int i = 0; i < bestMask.length(); i++) {
      if (bestMask.charAt(i) == '1') {
        result.add(wanted.get(i).path());
      }
    }
    return result;
  }

  private static double heat(
      IndexFile file, List<IndexFile> files, Map<String, Double> reads, Set<String> held) {
    long bytes =
        files.stream()
            .filter(each -> each.table().equals(file.table()) && !each.copied())
            .mapToLong(IndexFile::bytes)
            .sum();
    double heat = bytes == 0 ? 0 : reads.getOrDefault(file.table(), 0.0) / bytes;
    return held.contains(file.path()) ? heat * 1.5 : heat;
  }
}
