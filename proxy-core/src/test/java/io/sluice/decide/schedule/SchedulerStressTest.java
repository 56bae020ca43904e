package io.sluice.decide.schedule;

import static io.sluice.decide.schedule.Bench.A;
import static io.sluice.decide.schedule.Bench.B;
import static io.sluice.decide.schedule.Bench.C;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.decide.PriorityClass;
import io.sluice.decide.Refusal;
import io.sluice.decide.schedule.SchedulerSnapshot.NodeState;
import io.sluice.ring.NodeId;
import io.sluice.time.SystemTime;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Tests threads that submit, finish, cancel, lower, suspect and change nodes at the same time. */
class SchedulerStressTest {
  private static final List<NodeStanding> STANDINGS = List.of(NodeStanding.values());
  private static final int THREADS = 4;
  private static final int EACH = 5_000;
  private static final List<NodeId> NODES = List.of(A, B, C);

  private final SystemTime clock = new SystemTime();
  private final Scheduler scheduler = new Scheduler(SchedulingConfig.defaults(), clock);
  private final ConcurrentLinkedQueue<Ended> running = new ConcurrentLinkedQueue<>();
  private final ConcurrentLinkedQueue<Ended> all = new ConcurrentLinkedQueue<>();
  private final CountDownLatch submitters = new CountDownLatch(THREADS);

  private final class Ended extends Demand {
    private final AtomicInteger ends = new AtomicInteger();

    Ended(Query query, List<NodeId> replicas, double rows) {
      super(query, 0, replicas, rows);
    }

    @Override
    protected void start(Permit permit) {
      running.add(this);
    }

    @Override
    protected void refuse(Refusal refusal) {
      ends.incrementAndGet();
    }
  }

  @Test
  void every_demand_ends_once_and_every_slot_is_free_at_the_end() throws Exception {
    knowNodes(NODES);
    ExecutorService pool = Executors.newFixedThreadPool(THREADS + 2);
    for (int i = 0; i < THREADS; i++) {
      Random random = new Random(i);
      pool.execute(() -> submitAll(random));
      if (i < 2) {
        pool.execute(() -> finishAll(random));
      }
    }
    pool.shutdown();

    assertThat(pool.awaitTermination(60, TimeUnit.SECONDS)).isTrue();

    knowNodes(NODES);
    finishRunning(new Random(99));
    assertThat(all).hasSize(THREADS * EACH).allMatch(demand -> demand.ends.get() == 1);
    assertThat(scheduler.snapshot().nodes()).hasSize(3).allMatch(SchedulerStressTest::isEmpty);
  }

  private void submitAll(Random random) {
    List<Ended> mine = new ArrayList<>();
    for (int i = 0; i < EACH; i++) {
      Ended demand = demand(random);
      mine.add(demand);
      all.add(demand);
      scheduler.submit(demand);
      disturb(mine.get(random.nextInt(mine.size())), random);
      if (random.nextInt(3) == 0) {
        finishOne(random);
      }
    }
    submitters.countDown();
  }

  private Ended demand(Random random) {
    List<NodeId> replicas = new ArrayList<>(NODES);
    Collections.shuffle(replicas, random);
    PriorityClass priorityClass = random.nextBoolean() ? PriorityClass.POINT : PriorityClass.RANGE;
    long deadline = clock.nanoTime() + random.nextInt(1_000_000_000);
    Query query =
        scheduler.query(
            new QueryFacts(
                priorityClass,
                "t" + random.nextInt(3),
                "r" + random.nextInt(2),
                deadline,
                9,
                9,
                1));
    return new Ended(query, replicas.subList(0, 1 + random.nextInt(3)), 9);
  }

  private void disturb(Ended demand, Random random) {
    switch (random.nextInt(100)) {
      case 0 -> scheduler.standing(NODES.get(random.nextInt(3)), STANDINGS.get(random.nextInt(3)));
      case 1 -> knowNodes(NODES.subList(random.nextInt(2), 2 + random.nextInt(2)));
      case 2, 3, 4, 5 -> scheduler.remaining(demand.query(), random.nextInt(100));
      default -> {
        if (random.nextInt(4) == 0 && scheduler.cancel(demand)) {
          demand.ends.incrementAndGet();
        }
      }
    }
  }

  private void finishAll(Random random) {
    while (submitters.getCount() > 0) {
      if (!finishOne(random)) {
        Thread.onSpinWait();
      }
    }
    finishRunning(random);
  }

  private void finishRunning(Random random) {
    boolean more = true;
    while (more) {
      more = finishOne(random);
    }
  }

  private boolean finishOne(Random random) {
    Ended demand = running.poll();
    if (demand == null) {
      return false;
    }
    demand.ends.incrementAndGet();
    switch (random.nextInt(20)) {
      case 0 -> demand.finishOverloaded();
      case 1 -> demand.finishAbandoned();
      default -> demand.finish(random.nextInt(20), 5000);
    }
    return true;
  }

  private void knowNodes(List<NodeId> nodes) {
    scheduler.nodes(nodes.stream().map(node -> new NodeLimits(node, 8)).toList());
  }

  private static boolean isEmpty(NodeState state) {
    return state.backlogMicros() == 0
        && state.point().queued() + state.range().queued() == 0
        && state.point().inFlight() + state.range().inFlight() == 0;
  }
}
