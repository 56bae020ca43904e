package io.sluice.simulator.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.sluice.simulator.event.VirtualTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests evenly shared cores against schedules computed by hand. */
class ProcessorTest {
  private static final long END = 1_000_000;

  private final VirtualTime time = new VirtualTime();
  private final Map<String, Long> done = new LinkedHashMap<>();

  private Processor.Job run(Processor processor, String name, double work) {
    return processor.run(work, () -> done.put(name, time.nanoTime()));
  }

  private Processor cores(double cores) {
    return new Processor(time, cores, 0);
  }

  @Test
  void one_read_takes_as_long_as_its_work() {
    run(cores(1), "a", 100);

    time.runUntil(END);

    assertThat(done).containsExactly(Map.entry("a", 100L));
  }

  @Test
  void more_cores_make_one_read_no_faster() {
    run(cores(8), "a", 100);

    time.runUntil(END);

    assertThat(done).containsEntry("a", 100L);
  }

  /** Both reads run at half speed until b has its 100. Then a runs alone for its last 100. */
  @Test
  void two_reads_share_one_core() {
    Processor processor = cores(1);
    run(processor, "a", 200);
    run(processor, "b", 100);

    time.runUntil(END);

    assertThat(done).containsExactly(Map.entry("b", 200L), Map.entry("a", 300L));
  }

  /**
   * Read a runs alone for 100, then shares the core for 100 and gets 50 of them. Then b has the
   * core.
   */
  @Test
  void a_later_read_slows_down_running_ones() {
    Processor processor = cores(1);
    run(processor, "a", 150);
    time.after(100, () -> run(processor, "b", 100));

    time.runUntil(END);

    assertThat(done).containsExactly(Map.entry("a", 200L), Map.entry("b", 250L));
  }

  @Test
  void three_reads_on_two_cores_run_at_two_thirds_of_their_speed() {
    Processor processor = cores(2);
    List.of("a", "b", "c").forEach(name -> run(processor, name, 200));

    time.runUntil(END);

    assertThat(done.values()).allSatisfy(end -> assertThat(end).isCloseTo(300, within(1L)));
    assertThat(done.keySet()).containsExactly("a", "b", "c");
  }

  /** Four reads on two cores share 2 / (1 + 0.5 · (4 / 2 − 1)) = 4/3 cores: a third each. */
  @Test
  void crowding_costs_some_of_the_cores() {
    Processor processor = new Processor(time, 2, 0.5);
    List.of("a", "b", "c", "d").forEach(name -> run(processor, name, 100));

    time.runUntil(END);

    assertThat(done.values()).hasSize(4);
    assertThat(done.values()).allSatisfy(end -> assertThat(end).isCloseTo(300, within(1L)));
  }

  @Test
  void crowding_costs_nothing_while_there_are_enough_cores() {
    Processor processor = new Processor(time, 2, 0.5);
    List.of("a", "b").forEach(name -> run(processor, name, 100));

    time.runUntil(END);

    assertThat(done.values()).containsOnly(100L);
  }

  /** The reads share the core for 100 and get 50 each. Then b is alone with its remaining 50. */
  @Test
  void an_abandoned_read_leaves_the_core_to_the_others() {
    Processor processor = cores(1);
    Processor.Job a = run(processor, "a", 100);
    run(processor, "b", 100);
    time.after(100, () -> processor.abandon(a));

    time.runUntil(END);

    assertThat(done).containsExactly(Map.entry("b", 150L));
  }

  @Test
  void abandoning_a_read_twice_or_too_late_changes_nothing() {
    Processor processor = cores(1);
    Processor.Job a = run(processor, "a", 100);
    time.runUntil(100);
    processor.abandon(a);
    processor.abandon(a);
    run(processor, "b", 100);

    time.runUntil(END);

    assertThat(done).containsExactly(Map.entry("a", 100L), Map.entry("b", 200L));
  }

  @Test
  void cores_are_busy_as_long_as_reads_run_on_them() {
    Processor processor = cores(2);
    run(processor, "a", 100);
    time.runUntil(50);
    assertThat(processor.busyNanos()).isEqualTo(50);

    run(processor, "b", 100);
    run(processor, "c", 100);
    time.runUntil(END);

    assertThat(processor.busyNanos()).isCloseTo(300, within(3.0));
  }

  @Test
  void a_read_may_start_another_when_it_ends() {
    Processor processor = cores(1);
    processor.run(100, () -> run(processor, "next", 100));

    time.runUntil(END);

    assertThat(done).containsEntry("next", 200L);
  }

  /** Simulates processor sharing in small time steps: every read gets its share of each step. */
  private static long[] bySteps(double cores, double crowding, long[] arrivals, long[] works) {
    double[] left = Arrays.stream(works).asDoubleStream().toArray();
    long[] ends = new long[works.length];
    for (long now = 0; Arrays.stream(left).anyMatch(each -> each > 0); now++) {
      List<Integer> running = new ArrayList<>();
      for (int i = 0; i < works.length; i++) {
        if (arrivals[i] <= now && left[i] > 0) {
          running.add(i);
        }
      }
      double share = running.size() / cores;
      double speed = share <= 1 ? 1 : 1 / (share * (1 + crowding * (share - 1)));
      for (int i : running) {
        left[i] -= speed;
        ends[i] = now + 1;
      }
    }
    return ends;
  }

  @ParameterizedTest
  @CsvSource({"1, 1, 0", "2, 2, 0", "3, 1.5, 0.2", "4, 4, 0.05", "5, 3, 1"})
  void random_reads_end_as_in_a_simulation_by_steps(long seed, double cores, double crowding) {
    SplittableRandom random = new SplittableRandom(seed);
    int reads = 20;
    long[] arrivals = random.longs(reads, 0, 5_000).toArray();
    long[] works = random.longs(reads, 1, 2_000).toArray();
    long[] ends = new long[reads];
    Processor processor = new Processor(time, cores, crowding);
    for (int i = 0; i < reads; i++) {
      int read = i;
      time.after(
          arrivals[i],
          () -> processor.run((double) works[read], () -> ends[read] = time.nanoTime()));
    }

    time.runUntil(END);

    long[] expected = bySteps(cores, crowding, arrivals, works);
    for (int i = 0; i < reads; i++) {
      assertThat(ends[i]).as("end of read %d", i).isCloseTo(expected[i], within(40L));
    }
  }
}
