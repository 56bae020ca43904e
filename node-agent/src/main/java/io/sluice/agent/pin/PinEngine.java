package io.sluice.agent.pin;

import java.io.IOException;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/**
 * Keeps the planned files in memory. Each step reads changes of SSTables, memory once a second, and
 * the tables' reads every ten seconds. It then releases files that are not planned, and does one
 * small piece of work on the others. Not safe for several threads, except {@link #budget} and the
 * figures.
 */
final class PinEngine {
  /** The most files to keep. The kernel limits the mappings of a process, by default to 65,530. */
  static final int MAX_FILES = 20_000;

  static final long MEMORY_NANOS = TimeUnit.SECONDS.toNanos(1);
  static final long READS_NANOS = TimeUnit.SECONDS.toNanos(10);
  private static final long HALF_LIFE_NANOS = TimeUnit.HOURS.toNanos(1);

  private final LiveFiles live;
  private final Holds holds;
  private final PinWork work;
  private final PinBudget budget;
  private final Function<Set<String>, Map<String, Long>> reads;
  private final RecentReads recent = new RecentReads(HALF_LIFE_NANOS);
  private final Interval memoryTime = new Interval(MEMORY_NANOS);
  private final Interval readsTime = new Interval(READS_NANOS);
  private volatile long wanted;
  private boolean plan;

  /**
   * Creates an engine.
   *
   * @param reads returns counters of the reads of tables since they were opened
   */
  PinEngine(
      LiveFiles live,
      Holds holds,
      Holder holder,
      PinBudget budget,
      Function<Set<String>, Map<String, Long>> reads) {
    this.live = live;
    this.holds = holds;
    this.work = new PinWork(holds, holder, live::distrust);
    this.budget = budget;
    this.reads = reads;
  }

  /**
   * Does one step. Returns whether there is more to do at once.
   *
   * @throws LockRefused if files cannot be kept in this way; they have been released
   * @throws ReflectiveOperationException if this version's classes are not as expected
   */
  boolean step(long nanos) throws IOException, ReflectiveOperationException {
    if (memoryTime.passed(nanos)) {
      long room = work.room(); // first: what is released meanwhile must not count twice
      long held = holds.heldBytes();
      plan |= budget.update(held, work.locks() ? held : 0, room, nanos);
      work.releaseReplaced();
    }
    updateFiles();
    if (readsTime.passed(nanos)) {
      recent.sample(reads.apply(live.tables()), nanos);
      plan = true;
    }
    if (plan) {
      plan = false;
      apply(new PinPlan(live.all(), recent.byTable(), holds.paths()));
    }
    work.repeat(nanos);
    return work.proceed();
  }

  private void updateFiles() throws ReflectiveOperationException {
    Set<String> deleted = holds.deleted();
    plan |= live.refresh();
    if (!deleted.isEmpty()) {
      for (IndexFile each : live.all()) {
        deleted.remove(each.path().substring(0, each.path().lastIndexOf('-') + 1));
      }
      holds.forget(deleted);
    }
  }

  private void apply(PinPlan now) {
    int pageSize = work.pageSize();
    wanted = now.wantedBytes(pageSize);
    work.keep(now.within(budget.allowed(), pageSize, MAX_FILES));
  }

  /** Keeps files in another way from now on. Called by the thread that calls {@link #step}. */
  void holdBy(Holder other) {
    work.holdBy(other);
    plan = true;
  }

  /** Returns the budget, whose settings are applied within a second. */
  PinBudget budget() {
    return budget;
  }

  /** Returns the size of all files of all tables with reads, in bytes. */
  long wanted() {
    return wanted;
  }

  String mode() {
    return work.mode();
  }
}
