package io.sluice.decide.schedule;

import static io.sluice.decide.schedule.Bench.A;
import static io.sluice.decide.schedule.Bench.B;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.decide.PriorityClass;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests a query of very many consecutive sub-requests: those that have ended cost nothing more. */
class LongQueryTest {
  private static final int PIECES = 64_000;
  private static final int AT_ONCE = 64;

  private final Bench bench = new Bench(Bench.remainingWork(4), 8, A, B);
  private final Query query = bench.query(PriorityClass.RANGE, PIECES, PIECES, 64);

  private static int visited(Query query) {
    List<OpenEntries.Entry> visits = new ArrayList<>();
    query.forEachOpen(visits::add);
    return visits.size();
  }

  @Test
  void an_answer_visits_only_queued_sub_requests() {
    long visits = 0;
    for (int i = 0; i < PIECES; i++) {
      bench.submit(query, 1, i % 2 == 0 ? A : B);
      if (i >= AT_ONCE) {
        bench.scheduler.remaining(query, PIECES - i);
        visits += visited(query);
        bench.started.get(i - AT_ONCE).finish(1, 100);
      }
    }

    assertThat(visits).isLessThanOrEqualTo((long) PIECES * AT_ONCE);
  }

  /** A COUNT of a large table may take minutes. */
  @Test
  void a_query_waits_only_for_the_parts_of_an_older_one_that_were_submitted_before_it() {
    Bench narrow = new Bench(Bench.remainingWork(1), 8, A);
    Query count = narrow.endless(1e9);
    for (int i = 0; i < 3; i++) {
      narrow.submit(count, 1_000, A);
    }
    narrow.time.advance(6_000 * Bench.MS);
    TestDemand later = narrow.submitRange(10, A);
    int answered = 0;
    while (later.isWaiting() && answered < 10) {
      narrow.started.get(answered++).finish(1_000, 100);
      narrow.submit(count, 1_000, A);
    }
    assertThat(answered).isEqualTo(3);
  }

  @Test
  void a_started_cancelled_or_refused_demand_is_not_open() {
    List<TestDemand> demands = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      demands.add(bench.submit(query, 1, A));
    }
    assertThat(visited(query)).isEqualTo(6);

    bench.scheduler.cancel(demands.get(9));
    bench.scheduler.cancel(demands.get(4));
    assertThat(visited(query)).isEqualTo(4);
    bench.started.get(0).finish(1, 100);
    assertThat(visited(query)).isEqualTo(3);
    bench.scheduler.nodes(List.of());
    assertThat(demands.get(8).refusals).isEqualTo(1);
    assertThat(visited(query)).isZero();
  }

  @Test
  void every_open_demand_is_visited_while_others_are_cancelled() {
    List<TestDemand> demands = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      demands.add(bench.submit(query, 1, A));
    }
    List<OpenEntries.Entry> visited = new ArrayList<>();

    query.forEachOpen(
        demand -> {
          visited.add(demand);
          int index = demands.indexOf(demand);
          if (index % 2 == 0) {
            bench.scheduler.cancel(demands.get(4 + (index * 7) % 16));
          }
        });

    assertThat(demands.subList(4, 20))
        .allSatisfy(
            demand ->
                assertThat(visited.contains(demand) || demand.state == QueueEntry.State.ENDED)
                    .isTrue());
  }
}
