package io.sluice.link;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.link.Link.AnswerHandler;
import io.sluice.wire.Frame;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class InFlightTest {

  private final InFlight inFlight = new InFlight(bytes -> {});

  /** A waiter that is compared by identity. */
  private static final class Waiter implements AnswerHandler {
    @Override
    public void answered(Frame answer) {
      answer.release();
    }

    @Override
    public void lost(String reason) {
      // Nothing to do.
    }
  }

  @Test
  void an_id_brings_its_response_to_its_waiter_once() {
    Waiter one = new Waiter();
    Waiter two = new Waiter();
    int first = inFlight.add(one);
    int second = inFlight.add(two);
    assertThat(second).isNotEqualTo(first);
    assertThat(inFlight.remove(second)).isSameAs(two);
    assertThat(inFlight.remove(second)).isNull();
    assertThat(inFlight.remove(first)).isSameAs(one);
    assertThat(inFlight.taken()).isZero();
  }

  @Test
  void ids_that_were_never_taken_have_no_waiter() {
    inFlight.add(new Waiter());
    for (int stream : new int[] {-1, Short.MIN_VALUE, 1, Short.MAX_VALUE}) {
      assertThat(inFlight.remove(stream)).isNull();
    }
  }

  @Test
  void there_are_32768_ids_and_no_more() {
    for (int i = 0; i < 32_768; i++) {
      assertThat(inFlight.add(new Waiter())).isEqualTo(i);
    }
    assertThat(inFlight.add(new Waiter())).isEqualTo(-1);
    inFlight.remove(77);
    assertThat(inFlight.add(new Waiter())).isEqualTo(77);
  }

  @Test
  void an_abandoned_request_is_not_told_of_the_end() {
    Waiter gone = new Waiter();
    Waiter there = new Waiter();
    inFlight.orphan(inFlight.add(gone), gone, 7);
    inFlight.add(there);
    assertThat(inFlight.waiting()).isEqualTo(1);
    assertThat(inFlight.clear()).containsExactly(there);
    assertThat(inFlight.waiting()).isZero();
    assertThat(inFlight.taken()).isZero();
  }

  @Test
  void abandoning_a_finished_request_changes_nothing() {
    Waiter old = new Waiter();
    int stream = inFlight.add(old);
    inFlight.remove(stream);
    Waiter young = new Waiter();
    assertThat(inFlight.add(young)).isEqualTo(stream);
    inFlight.orphan(stream, old, 7);
    assertThat(inFlight.remove(stream)).isSameAs(young);
  }

  /** The most important rule: a late response never reaches another request. */
  @Test
  void it_behaves_like_a_map_whose_orphans_stay_taken() {
    for (long seed = 0; seed < 300; seed++) {
      try {
        compareWithModel(new Random(seed));
      } catch (AssertionError e) {
        throw new AssertionError("seed " + seed, e);
      }
    }
  }

  private static void compareWithModel(Random random) {
    AtomicLong counted = new AtomicLong();
    InFlight real = new InFlight(counted::set);
    Map<Integer, Waiter> waiting = new HashMap<>();
    Map<Integer, Waiter> orphans = new HashMap<>();
    for (int step = 0; step < 500; step++) {
      List<Integer> ids = new ArrayList<>(waiting.keySet());
      switch (ids.isEmpty() ? 0 : random.nextInt(4)) {
        case 0, 1 -> {
          Waiter waiter = new Waiter();
          int id = real.add(waiter);
          assertThat(orphans).doesNotContainKey(id);
          assertThat(waiting.put(id, waiter)).isNull();
        }
        case 2 -> {
          int id = ids.get(random.nextInt(ids.size()));
          assertThat(real.remove(id)).isSameAs(waiting.remove(id));
        }
        default -> {
          int id = ids.get(random.nextInt(ids.size()));
          Waiter waiter = waiting.remove(id);
          real.orphan(id, waiter, 7);
          orphans.put(id, waiter);
        }
      }
      if (!orphans.isEmpty() && random.nextInt(5) == 0) {
        int id = orphans.keySet().iterator().next();
        assertThat(real.remove(id)).isNotNull().isNotSameAs(orphans.remove(id));
      }
      assertThat(real.waiting()).isEqualTo(waiting.size());
      assertThat(real.taken()).isEqualTo(waiting.size() + orphans.size());
      real.countOrphans(1_000);
      assertThat(counted).hasValue(Math.min(1_000, 7L * orphans.size()));
    }
    assertThat(real.clear()).containsExactlyInAnyOrderElementsOf(waiting.values());
  }
}
