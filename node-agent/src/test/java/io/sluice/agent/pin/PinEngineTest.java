package io.sluice.agent.pin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.agent.host.MemoryGauge;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.db.lifecycle.Tracker;
import org.apache.cassandra.io.sstable.format.SSTableReader;
import org.apache.cassandra.io.sstable.format.SSTableReader.OpenReason;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The steps of the engine, with simulated holds and the test's clock. */
class PinEngineTest {
  private static final int PAGE = FakeHolds.PAGE;
  private static final long PLENTY = 1L << 40;
  private static final long BUDGET = 10 * PAGE;

  @TempDir private Path folder;

  private final Map<String, Long> reads = new HashMap<>();
  private final FakeHolds fake = new FakeHolds();
  private final Holds holds = new Holds();
  private final LiveFiles live =
      new LiveFiles(new ReflectedLists(), PinSettings.parse("1MiB", "", "", new ArrayList<>()));
  private final PinBudget budget = new PinBudget(BUDGET, this::memory);
  private final PinEngine engine =
      new PinEngine(live, holds, fake.locking(), budget, this::readsOf);
  private final Tracker tracker = new Tracker(new ColumnFamilyStore("k", "t"));
  private final Tracker other = new Tracker(new ColumnFamilyStore("k", "other"));
  private long available = PLENTY;
  private boolean memoryIsKnown = true;
  private long now = -5_000_000_000L;

  private MemoryGauge.State memory() throws IOException {
    if (!memoryIsKnown) {
      throw new IOException("no /proc");
    }
    return new MemoryGauge.State(PLENTY, available, 0);
  }

  private Map<String, Long> readsOf(Set<String> tables) {
    Map<String, Long> found = new HashMap<>(reads);
    found.keySet().retainAll(tables);
    return found;
  }

  private SSTableReader sstable(int id, int pages) throws IOException {
    Files.write(folder.resolve("nb-" + id + "-big-Index.db"), new byte[pages * PAGE]);
    return new SSTableReader(
        folder.resolve("nb-" + id + "-big-Data.db").toString(), OpenReason.NORMAL);
  }

  private void show(Tracker of, SSTableReader... sstables) {
    of.show(Set.of(sstables));
    live.changed(of);
  }

  /** Steps as long as there is work, then again after a time. */
  private void run(long seconds) throws Exception {
    while (engine.step(now)) {
      assertThat(holds.heldBytes()).isLessThanOrEqualTo(budget.allowed());
    }
    now += TimeUnit.SECONDS.toNanos(seconds);
    while (engine.step(now)) {
      assertThat(holds.heldBytes()).isLessThanOrEqualTo(budget.allowed());
    }
  }

  private List<String> held() {
    assertThat(holds.paths()).isEqualTo(fake.open);
    return fake.open.stream().map(each -> Path.of(each).getFileName().toString()).toList();
  }

  @Test
  void tables_with_reads_are_held_completely() throws Exception {
    show(tracker, sstable(1, 3), sstable(2, 2));
    reads.put("k.t", 10L);

    run(0);

    assertThat(held()).containsExactly("nb-1-big-Index.db", "nb-2-big-Index.db");
    assertThat(holds.heldBytes()).isEqualTo(5 * PAGE);
    assertThat(engine.wanted()).isEqualTo(5 * PAGE);
    assertThat(budget.allowed()).isEqualTo(BUDGET);
  }

  @Test
  void a_compaction_is_followed_in_the_next_step() throws Exception {
    show(tracker, sstable(1, 3), sstable(2, 2));
    reads.put("k.t", 10L);
    run(0);

    show(tracker, sstable(3, 4));
    run(0);

    assertThat(held()).containsExactly("nb-3-big-Index.db");
    show(tracker);
    run(0);
    assertThat(held()).isEmpty();
    assertThat(engine.wanted()).isZero();
  }

  @Test
  void reads_are_sampled_every_ten_seconds() throws Exception {
    show(tracker, sstable(1, 3));
    run(0);
    assertThat(held()).isEmpty();
    reads.put("k.t", 10L);
    run(9);
    assertThat(held()).isEmpty();

    run(1);

    assertThat(held()).hasSize(1);
  }

  @Test
  void the_hotter_table_displaces_the_other() throws Exception {
    show(tracker, sstable(1, 8));
    show(other, sstable(2, 8));
    reads.put("k.t", 10L);
    run(0);
    assertThat(held()).containsExactly("nb-1-big-Index.db");

    reads.put("k.other", 1000L);
    run(10);

    assertThat(held()).containsExactly("nb-2-big-Index.db");
  }

  @Test
  void when_memory_is_short_it_lets_go_and_comes_back() throws Exception {
    show(tracker, sstable(1, 6), sstable(2, 2));
    reads.put("k.t", 10L);
    run(0);

    available = 0;
    run(1);
    assertThat(budget.shortages()).isEqualTo(1);
    assertThat(held()).containsExactly("nb-2-big-Index.db");
    run(1);
    run(1);
    assertThat(held()).isEmpty();

    available = PLENTY;
    run(1);
    assertThat(held()).hasSize(2);
  }

  /** Files that are only read again are page cache, which the kernel counts as available. */
  @Test
  void files_that_are_not_locked_count_once() throws Exception {
    engine.holdBy(fake.touching());
    show(tracker, sstable(1, 2), sstable(2, 2), sstable(3, 2), sstable(4, 2));
    reads.put("k.t", 10L);
    available = BUDGET;

    for (int i = 0; i < 20; i++) {
      run(1);
      assertThat(budget.allowed()).isEqualTo(available / 2);
    }
    assertThat(holds.heldBytes()).isEqualTo(4 * PAGE);
    assertThat(budget.shortages()).isZero();
  }

  @Test
  void switched_off_it_holds_nothing_and_counts_no_shortage() throws Exception {
    show(tracker, sstable(1, 6));
    reads.put("k.t", 10L);
    run(0);

    budget.setEnabled(false);
    run(1);
    assertThat(held()).isEmpty();
    budget.setEnabled(true);
    run(1);
    assertThat(held()).hasSize(1);
    budget.setBytes(5 * PAGE);
    run(1);
    assertThat(held()).isEmpty();
    assertThat(budget.shortages()).isZero();
  }

  @Test
  void a_budget_above_what_can_be_locked_keeps_as_much_as_can_be_locked() throws Exception {
    fake.lockLimit = 6 * PAGE;
    budget.setBytes(5 * PAGE);
    show(tracker, sstable(1, 4), sstable(2, 2), sstable(3, 2));
    reads.put("k.t", 10L);
    run(1);
    assertThat(holds.heldBytes()).isEqualTo(4 * PAGE);

    budget.setBytes(BUDGET);
    run(1);
    assertThat(engine.mode()).isEqualTo("locked");
    assertThat(budget.allowed()).isEqualTo(6 * PAGE);
    assertThat(holds.heldBytes()).isEqualTo(6 * PAGE);
    assertThat(budget.shortages()).isZero();

    fake.lockLimit = Long.MAX_VALUE;
    run(1);
    assertThat(holds.heldBytes()).isEqualTo(8 * PAGE);
  }

  @Test
  void a_file_that_was_replaced_is_held_anew_within_a_second() throws Exception {
    show(tracker, sstable(1, 2));
    reads.put("k.t", 10L);
    run(0);
    assertThat(holds.heldBytes()).isEqualTo(2 * PAGE);

    sstable(1, 5);
    run(1);

    assertThat(holds.heldBytes()).isEqualTo(5 * PAGE);
  }

  @Test
  void a_file_that_is_missing_is_no_error() throws Exception {
    show(tracker, sstable(1, 2), sstable(2, 2));
    reads.put("k.t", 10L);
    Files.delete(folder.resolve("nb-1-big-Index.db"));
    fake.refused.add(folder.resolve("nb-2-big-Index.db").toString());
    run(1);
    assertThat(held()).isEmpty();

    fake.refused.clear();
    run(1);
    assertThat(held()).containsExactly("nb-2-big-Index.db");
  }

  @Test
  void after_a_refused_lock_all_is_released_and_another_holder_can_continue() throws Exception {
    show(tracker, sstable(1, 2));
    reads.put("k.t", 10L);
    fake.lockable = false;

    assertThatThrownBy(() -> engine.step(now)).isInstanceOf(LockRefused.class);
    assertThat(held()).isEmpty();

    engine.holdBy(fake.touching());
    run(0);
    assertThat(engine.mode()).isEqualTo("touched");
    assertThat(held()).hasSize(1);
    assertThat(engine.step(now + PinWork.AGAIN_NANOS)).as("reads again").isTrue();
  }

  @Test
  void deleted_prefixes_are_forgotten_when_they_are_not_listed_any_more() throws Exception {
    show(tracker, sstable(1, 2));
    reads.put("k.t", 10L);
    run(0);
    holds.deleting(folder.resolve("nb-1-big-").toString());
    run(0);
    assertThat(held()).isEmpty();
    assertThat(holds.deleted()).hasSize(1);

    show(tracker);
    run(0);
    assertThat(holds.deleted()).isEmpty();
  }

  @Test
  void unknown_memory_is_an_error() {
    memoryIsKnown = false;

    assertThatThrownBy(() -> engine.step(now)).hasMessage("no /proc");
  }

  /** After any changes, the kept files are those of a new engine. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void after_anything_it_holds_what_fits_and_nothing_that_is_gone(long seed) throws Exception {
    Random random = new Random(seed);
    reads.put("k.t", 100L);
    reads.put("k.other", 50L);
    Map<Integer, SSTableReader> mine = new HashMap<>();
    Map<Integer, SSTableReader> its = new HashMap<>();
    for (int i = 0; i < 300; i++) {
      Map<Integer, SSTableReader> at = random.nextBoolean() ? mine : its;
      if (random.nextInt(3) > 0) {
        at.put(i, sstable(i, 1 + random.nextInt(6)));
      } else if (!at.isEmpty()) {
        int gone = at.keySet().iterator().next();
        at.remove(gone);
        holds.deleting(folder.resolve("nb-" + gone + "-big-").toString());
        Files.delete(folder.resolve("nb-" + gone + "-big-Index.db"));
        assertThat(held()).doesNotContain("nb-" + gone + "-big-Index.db");
      }
      show(at == mine ? tracker : other, at.values().toArray(new SSTableReader[0]));
      reads.merge("k.t", (long) random.nextInt(100), Long::sum);
      available = random.nextInt(4) == 0 ? (long) random.nextInt(20) * PAGE : PLENTY;
      for (int steps = random.nextInt(12); steps > 0; steps--) {
        engine.step(now);
        assertThat(holds.heldBytes()).isLessThanOrEqualTo(budget.allowed());
      }
      now += random.nextInt(3) * 1_000_000_000L;
    }
    available = PLENTY;
    run(20);

    Set<String> alive = new HashSet<>();
    for (Map<Integer, SSTableReader> each : List.of(mine, its)) {
      each.keySet().forEach(id -> alive.add("nb-" + id + "-big-Index.db"));
    }
    assertThat(alive).containsAll(held());
    assertThat(holds.heldBytes()).isLessThanOrEqualTo(BUDGET);
    assertThat(BUDGET - holds.heldBytes())
        .as("nothing else would fit")
        .isLessThan(smallestOther(alive));
  }

  private long smallestOther(Set<String> alive) {
    long smallest = Long.MAX_VALUE;
    for (String each : alive) {
      if (!held().contains(each)) {
        smallest = Math.min(smallest, folder.resolve(each).toFile().length());
      }
    }
    return smallest;
  }
}
