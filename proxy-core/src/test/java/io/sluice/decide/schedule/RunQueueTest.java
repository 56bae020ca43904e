package io.sluice.decide.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RunQueueTest {
  private final RunQueue<String> queue = new RunQueue<>();

  @Test
  void the_item_with_the_lowest_key_goes_first() {
    queue.add("late", 30, 1, 0);
    queue.add("early", 10, 2, 0);
    queue.add("middle", 20, 3, 0);

    assertThat(drain()).containsExactly("early", "middle", "late");
  }

  @Test
  void items_with_equal_keys_go_by_sequence_and_then_by_segment() {
    queue.add("q2 s0", 10, 2, 0);
    queue.add("q1 s1", 10, 1, 1);
    queue.add("q1 s0", 10, 1, 0);

    assertThat(drain()).containsExactly("q1 s0", "q1 s1", "q2 s0");
  }

  @Test
  void a_lower_key_moves_an_item_forward_and_a_higher_key_changes_nothing() {
    int wide = queue.add("wide", 30, 1, 0);
    int narrow = queue.add("narrow", 20, 2, 0);

    queue.decrease(wide, 10);
    queue.decrease(narrow, 40);

    assertThat(queue.key(narrow)).isEqualTo(20);
    assertThat(drain()).containsExactly("wide", "narrow");
  }

  @Test
  void a_removed_item_cannot_be_removed_again() {
    int handle = queue.add("one", 1, 1, 0);
    queue.remove(handle);

    assertThatThrownBy(() -> queue.remove(handle)).isInstanceOf(IllegalStateException.class);
  }

  /**
   * Compares the queue with a sorted list, for random sequences of add, poll, decrease and remove.
   */
  @ParameterizedTest
  @ValueSource(ints = {1, 5, 100, 5000})
  void the_head_always_has_the_lowest_key(int typicalSize) {
    for (long seed = 1; seed <= 5; seed++) {
      Random random = new Random(seed);
      Model model = new Model(random, typicalSize);
      for (int step = 0; step < 3000; step++) {
        model.step();
        model.check("seed " + seed + " step " + step);
      }
    }
  }

  private List<String> drain() {
    List<String> order = new ArrayList<>();
    while (!queue.isEmpty()) {
      order.add(queue.poll());
    }
    return order;
  }

  private record Entry(String item, long key, long sequence, int pieceNumber) {
    static final Comparator<Entry> ORDER =
        Comparator.comparingLong(Entry::key)
            .thenComparingLong(Entry::sequence)
            .thenComparingInt(Entry::pieceNumber);
  }

  private static final class Model {
    private final RunQueue<String> queue = new RunQueue<>();
    private final Map<Integer, Entry> byHandle = new HashMap<>();
    private final List<Integer> handles = new ArrayList<>();
    private final TreeMap<Entry, Integer> sorted = new TreeMap<>(Entry.ORDER);
    private final Random random;
    private final int typicalSize;
    private int made;

    Model(Random random, int typicalSize) {
      this.random = random;
      this.typicalSize = typicalSize;
    }

    void step() {
      int dice = random.nextInt(4);
      if (handles.isEmpty() || (dice == 0 && handles.size() < 2 * typicalSize)) {
        add();
      } else if (dice == 1) {
        poll();
      } else if (dice == 2) {
        decrease();
      } else if (random.nextInt(2) == 0) {
        remove();
      } else {
        add();
      }
    }

    void check(String when) {
      assertThat(queue.size()).as(when).isEqualTo(sorted.size());
      if (!sorted.isEmpty()) {
        Entry first = sorted.firstKey();
        assertThat(queue.head()).as(when).isEqualTo(first.item());
      }
    }

    private void add() {
      made++;
      Entry entry = new Entry("item " + made, random.nextInt(50), random.nextInt(5), made);
      int handle = queue.add(entry.item(), entry.key(), entry.sequence(), entry.pieceNumber());
      put(handle, entry);
      handles.add(handle);
    }

    private void put(int handle, Entry entry) {
      byHandle.put(handle, entry);
      sorted.put(entry, handle);
    }

    private void poll() {
      Entry first = sorted.firstKey();
      int handle = sorted.remove(first);
      byHandle.remove(handle);
      handles.remove((Integer) handle);
      assertThat(queue.poll()).isEqualTo(first.item());
    }

    private void remove() {
      int handle = handles.remove(random.nextInt(handles.size()));
      Entry entry = Objects.requireNonNull(byHandle.remove(handle));
      sorted.remove(entry);
      assertThat(queue.remove(handle)).isEqualTo(entry.item());
    }

    private void decrease() {
      int handle = handles.get(random.nextInt(handles.size()));
      Entry old = Objects.requireNonNull(byHandle.get(handle));
      long key = old.key() - random.nextInt(30) + 5;
      queue.decrease(handle, key);
      sorted.remove(old);
      put(
          handle,
          new Entry(old.item(), Math.min(key, old.key()), old.sequence(), old.pieceNumber()));
    }
  }
}
