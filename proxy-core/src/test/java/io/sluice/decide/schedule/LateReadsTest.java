package io.sluice.decide.schedule;

import static io.sluice.decide.schedule.Bench.A;
import static io.sluice.decide.schedule.Bench.B;
import static io.sluice.decide.schedule.Bench.MS;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.decide.PriorityClass;
import io.sluice.ring.NodeId;
import org.junit.jupiter.api.Test;

/** Tests the time after which a point read is late, given the durations of its table's reads. */
class LateReadsTest {

  private final Bench bench = new Bench(Bench.remainingWork(1), 8, A, B);

  private void answers(NodeId node, int count, long millis) {
    for (int i = 0; i < count; i++) {
      TestDemand read = bench.submitPoint(node);
      bench.time.advance(millis * MS);
      read.finish(1, 100);
    }
  }

  private long lateAfter(NodeId node) {
    TestDemand read = bench.submitPoint(node);
    long late = read.lateNanos();
    read.finishAbandoned();
    return late;
  }

  @Test
  void no_read_is_late_before_a_hundred_answers() {
    answers(A, HighQuantile.FIRST - 1, 2);
    assertThat(lateAfter(A)).isEqualTo(Long.MAX_VALUE);
    answers(A, 1, 2);
    assertThat(lateAfter(A)).isEqualTo(2 * MS);
  }

  @Test
  void each_node_has_its_own_threshold() {
    answers(A, 100, 4);
    answers(B, 100, 3);
    assertThat(lateAfter(A)).isEqualTo(4 * MS);
    assertThat(lateAfter(B)).isEqualTo(3 * MS);
  }

  @Test
  void at_a_slow_node_the_threshold_depends_on_the_fastest_node() {
    answers(B, 100, 60);
    answers(A, 100, 3);
    assertThat(lateAfter(B)).isEqualTo(6 * MS);
  }

  @Test
  void a_slow_node_with_few_answers_has_no_late_reads() {
    answers(A, 100, 3);
    answers(B, 10, 60);
    assertThat(lateAfter(B)).isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void an_old_time_of_the_fastest_node_is_forgotten() {
    answers(A, 100, 3);
    answers(B, 5_000, 60);
    assertThat(lateAfter(B)).isGreaterThan(50 * MS);
  }

  @Test
  void only_point_reads_of_one_partition_are_counted_and_can_be_late() {
    for (int i = 0; i < 200; i++) {
      TestDemand range = bench.submitRange(1, A);
      bench.time.advance(MS);
      range.finish(1, 100);
      TestDemand many = bench.submit(bench.query(PriorityClass.POINT, 5, 5, 1), 5, A);
      bench.time.advance(MS);
      many.finish(5, 100);
    }
    assertThat(lateAfter(A)).isEqualTo(Long.MAX_VALUE);
    answers(A, 100, 2);
    TestDemand many = bench.submit(bench.query(PriorityClass.POINT, 5, 5, 1), 5, A);
    assertThat(many.lateNanos()).isEqualTo(Long.MAX_VALUE);
    many.finishAbandoned();
  }
}
