package io.sluice.simulator.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.decide.PriorityClass;
import io.sluice.decide.schedule.Query;
import io.sluice.decide.schedule.QueryFacts;
import io.sluice.decide.schedule.Scheduler;
import io.sluice.decide.schedule.SchedulingConfig;
import io.sluice.simulator.cluster.ClusterSetting.Data;
import org.junit.jupiter.api.Test;

/** Tests the count of range reads that started ahead of one that they could no longer overtake. */
class OvertakeWatchTest {
  private static final SchedulingConfig CONFIG = SchedulingConfig.defaults();

  private final QuietCluster quiet = new QuietCluster(2, new Data(1, 1, 100, 0, 0), 1);
  private final Scheduler scheduler = new Scheduler(CONFIG, quiet.time);
  private final OvertakeWatch watch = new OvertakeWatch(quiet.cluster, CONFIG);

  private Query query(double rows) {
    return scheduler.query(
        new QueryFacts(PriorityClass.RANGE, "ks.t", "", Long.MAX_VALUE, rows, 1000, 1));
  }

  private void started(int node, Query query, long passableUntil) {
    watch.started(node, query, passableUntil, query.arrivalNanos());
  }

  @Test
  void a_query_may_be_overtaken_for_a_hundred_times_its_work() {
    quiet.pass(5_000);
    Query query = query(10);

    assertThat(watch.passableUntil(query))
        .isEqualTo(5_000 + (long) (100 * query.remainingMicros() * 1000));
  }

  @Test
  void a_large_query_may_be_overtaken_for_its_ageing_time() {
    double age = CONFIG.ageing() * CONFIG.timeout(PriorityClass.RANGE).toNanos();

    assertThat(watch.passableUntil(query(1e9))).isEqualTo((long) age);
  }

  @Test
  void a_query_that_arrives_in_that_time_may_overtake() {
    Query first = query(10);
    quiet.pass(1_000);
    Query second = query(1);

    started(0, second, 0);
    started(0, first, 2_000);

    assertThat(quiet.meter.lateOvertakes()).isZero();
  }

  @Test
  void a_query_that_arrives_after_that_time_is_a_late_overtake() {
    Query first = query(10);
    quiet.pass(3_000);
    Query second = query(1);

    started(0, second, 0);
    started(0, first, 2_000);

    assertThat(quiet.meter.lateOvertakes()).isEqualTo(1);
  }

  @Test
  void a_start_at_another_node_is_no_overtake() {
    Query first = query(10);
    quiet.pass(3_000);
    Query second = query(1);

    started(1, second, 0);
    started(0, first, 2_000);

    assertThat(quiet.meter.lateOvertakes()).isZero();
  }

  /** The overtaken piece was in no queue of the node when the other read started. */
  @Test
  void a_piece_that_is_queued_later_is_not_overtaken() {
    Query first = query(10);
    quiet.pass(3_000);
    Query second = query(1);
    started(0, second, 0);
    quiet.pass(1_000);

    watch.started(0, first, 2_000, quiet.time.nanoTime());

    assertThat(quiet.meter.lateOvertakes()).isZero();
  }

  @Test
  void an_order_without_a_wait_bound_is_not_watched() {
    OvertakeWatch none = new OvertakeWatch(quiet.cluster, null);
    Query first = query(10);
    long until = none.passableUntil(first);
    quiet.pass(Long.MAX_VALUE / 2);
    Query second = query(1);

    none.started(0, second, 0, second.arrivalNanos());
    none.started(0, first, until, 0);

    assertThat(quiet.meter.lateOvertakes()).isZero();
  }
}
