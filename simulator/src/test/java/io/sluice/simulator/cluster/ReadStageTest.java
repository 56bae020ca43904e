package io.sluice.simulator.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.simulator.event.VirtualTime;
import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Tests the read stage of a node: threads, one queue, dropped reads, and the reads that a crash
 * loses.
 */
class ReadStageTest {
  private static final long END = 1_000_000;

  private final VirtualTime time = new VirtualTime();
  private final List<String> ended = new ArrayList<>();

  private ReadStage stage(int threads) {
    return new ReadStage(time, new Processor(time, 8, 0), threads);
  }

  private NodeRead read(String name, double work, long latestStart) {
    return new NodeRead(work, latestStart) {
      @Override
      void answered() {
        ended.add(name + "@" + time.nanoTime());
      }

      @Override
      void lost() {
        ended.add(name + " lost");
      }

      @Override
      void dropped() {
        ended.add(name + " dropped@" + time.nanoTime());
      }
    };
  }

  private NodeRead read(String name, double work) {
    return read(name, work, END);
  }

  @Test
  void reads_run_while_threads_are_free_and_wait_in_order_of_arrival() {
    ReadStage stage = stage(2);
    stage.submit(read("a", 100));
    stage.submit(read("b", 300));
    stage.submit(read("c", 50));
    stage.submit(read("d", 10));

    time.runUntil(END);

    assertThat(ended).containsExactly("a@100", "c@150", "d@160", "b@300");
  }

  @Test
  void a_read_that_would_start_too_late_is_dropped() {
    ReadStage stage = stage(1);
    stage.submit(read("a", 100));
    stage.submit(read("late", 10, 99));
    stage.submit(read("just in time", 10, 100));

    time.runUntil(END);

    assertThat(ended).containsExactlyInAnyOrder("a@100", "late dropped@100", "just in time@110");
  }

  @Test
  void a_running_read_is_never_dropped() {
    ReadStage stage = stage(1);
    stage.submit(read("a", 1000, 0));

    time.runUntil(END);

    assertThat(ended).containsExactly("a@1000");
  }

  @Test
  void a_slow_node_takes_longer_from_the_next_read_on() {
    ReadStage stage = stage(1);
    stage.submit(read("before", 100));
    stage.speed(0.25);
    stage.submit(read("slow", 100));
    time.runUntil(500);
    stage.speed(1);
    stage.submit(read("again", 100));

    time.runUntil(END);

    assertThat(ended).containsExactly("before@100", "slow@500", "again@600");
  }

  @Test
  void a_crash_loses_each_running_and_waiting_read_once() {
    ReadStage stage = stage(1);
    stage.submit(read("runs", 100));
    stage.submit(read("waits", 100));
    time.runUntil(50);

    stage.clear();
    time.runUntil(END);

    assertThat(ended).containsExactly("runs lost", "waits lost");
  }

  @Test
  void after_a_crash_all_threads_and_cores_are_free() {
    ReadStage stage = new ReadStage(time, new Processor(time, 1, 0), 1);
    stage.submit(read("gone", 1000));
    time.runUntil(50);
    stage.clear();

    stage.submit(read("next", 100));
    time.runUntil(END);

    assertThat(ended).containsExactly("gone lost", "next@150");
  }

  @Test
  void a_read_frees_its_thread_before_it_is_answered() {
    ReadStage stage = stage(1);
    stage.submit(
        new NodeRead(100, END) {
          @Override
          void answered() {
            stage.submit(read("next", 10));
          }

          @Override
          void lost() {}
        });

    time.runUntil(END);

    assertThat(ended).containsExactly("next@110");
  }

  /**
   * Returns the ends by hand, first in, first out with c servers: each read takes the thread that
   * is free first.
   */
  private static List<Long> byHand(int threads, long[] arrivals, long[] works) {
    PriorityQueue<Long> free = new PriorityQueue<>();
    for (int i = 0; i < threads; i++) {
      free.add(0L);
    }
    List<Long> ends = new ArrayList<>();
    for (int i = 0; i < arrivals.length; i++) {
      long end = Math.max(arrivals[i], free.remove()) + works[i];
      free.add(end);
      ends.add(end);
    }
    return ends;
  }

  @ParameterizedTest
  @CsvSource({"1, 1", "2, 2", "3, 3", "4, 5", "5, 8"})
  void with_a_core_for_each_thread_reads_end_as_in_a_fifo_queue(long seed, int threads) {
    SplittableRandom random = new SplittableRandom(seed);
    int reads = 100;
    long[] arrivals = random.longs(reads, 0, 3_000).sorted().toArray();
    long[] works = random.longs(reads, 1, 300).toArray();
    Long[] ends = new Long[reads];
    ReadStage stage = stage(threads);
    for (int i = 0; i < reads; i++) {
      int number = i;
      NodeRead read =
          new NodeRead(works[i], END) {
            @Override
            void answered() {
              ends[number] = time.nanoTime();
            }

            @Override
            void lost() {}
          };
      time.after(arrivals[i], () -> stage.submit(read));
    }

    time.runUntil(END);

    assertThat(ends).containsExactlyElementsOf(byHand(threads, arrivals, works));
  }
}
