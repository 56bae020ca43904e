package io.sluice.agent.pin;

import io.sluice.agent.host.MemoryState;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.LongUnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Holds the files that the plan wants: looks at memory once a second, at the tables' reads every
 * ten, and at changes of SSTables in each step; then lets go of what is not wanted, and does one
 * small piece of work on what is. {@link #step} is called by one thread; the settings and figures
 * are safe for any thread.
 */
final class PinEngine {
  /** The kernel bounds the mappings of a process, by default at 65,530. */
  static final int MOST_FILES = 20_000;

  static final long MEMORY_NANOS = TimeUnit.SECONDS.toNanos(1);
  static final long READS_NANOS = TimeUnit.SECONDS.toNanos(10);
  private static final long HALF_LIFE_NANOS = TimeUnit.HOURS.toNanos(1);

  /** The state of memory, when it is asked for. */
  interface Memory {
    MemoryState read() throws IOException;
  }

  private final LiveFiles live;
  private final Holds holds;
  private final Memory memory;
  private final Function<Set<String>, Map<String, Long>> reads;
  private final RecentReads recent = new RecentReads(HALF_LIFE_NANOS);
  private final PinAllowance allowance = new PinAllowance();
  private final Deque<Hold> work = new ArrayDeque<>();
  private final LongUnaryOperator budgetOf;
  private volatile Holder holder;
  private volatile boolean enabled = true;
  private volatile long budget = -1;
  private volatile long allowed;
  private volatile long wanted;
  private final AtomicLong shortages = new AtomicLong();
  private @Nullable Long memoryAt;
  private @Nullable Long readsAt;
  private @Nullable Long repeatedAt;
  private boolean plan;

  /**
   * @param budgetOf the budget for the memory that the process could have, in bytes
   * @param reads counters of the reads of tables since they were opened
   */
  PinEngine(
      LiveFiles live,
      Holds holds,
      Holder holder,
      Memory memory,
      LongUnaryOperator budgetOf,
      Function<Set<String>, Map<String, Long>> reads) {
    this.live = live;
    this.holds = holds;
    this.holder = holder;
    this.memory = memory;
    this.budgetOf = budgetOf;
    this.reads = reads;
  }

  /**
   * One round; answers whether there is more to do at once.
   *
   * @throws LockRefused if files cannot be held in this way; they have been let go
   * @throws ReflectiveOperationException if this version's classes are not as expected
   */
  boolean step(long nanos) throws IOException, ReflectiveOperationException {
    if (due(memoryAt, MEMORY_NANOS, nanos)) {
      memoryAt = nanos;
      followMemory(nanos);
      dropReplacedFiles();
    }
    followSSTables();
    if (due(readsAt, READS_NANOS, nanos)) {
      readsAt = nanos;
      recent.sample(reads.apply(live.tables()), nanos);
      plan = true;
    }
    if (plan) {
      plan = false;
      follow(new PinPlan(live.all(), recent.byTable(), holds.paths()));
    }
    if (holder.repeats() && due(repeatedAt, READS_NANOS, nanos)) {
      repeatedAt = nanos;
      repeat();
    }
    return work();
  }

  private static boolean due(@Nullable Long last, long interval, long now) {
    return last == null || now - last >= interval;
  }

  private void followSSTables() throws ReflectiveOperationException {
    Set<String> deleted = holds.deleted();
    if (live.refresh()) {
      plan = true;
    }
    if (!deleted.isEmpty()) {
      for (IndexFile each : live.all()) {
        deleted.remove(each.path().substring(0, each.path().lastIndexOf('-') + 1));
      }
      holds.forget(deleted);
    }
  }

  private void followMemory(long nanos) throws IOException {
    MemoryState now = memory.read();
    if (budget < 0) {
      budget = budgetOf.applyAsLong(now.totalBytes());
    }
    long before = allowed;
    long held = holds.heldBytes();
    long next = allowance.next(enabled ? budget : 0, held, now, nanos);
    allowed = next;
    if (next < held && enabled && next < budget) {
      shortages.incrementAndGet();
    }
    plan |= next != before;
  }

  private void dropReplacedFiles() {
    for (String each : holds.paths()) {
      Hold hold = holds.at(each);
      if (hold != null && !hold.isCurrent()) {
        holds.release(each);
        live.distrust(hold.file());
        plan = true;
      }
    }
  }

  private void follow(PinPlan now) {
    int pageSize = holder.pageSize();
    wanted = now.wantedBytes(pageSize);
    List<IndexFile> chosen = now.within(allowed, pageSize, MOST_FILES);
    Set<String> paths = new HashSet<>();
    chosen.forEach(each -> paths.add(each.path()));
    for (String each : holds.paths()) {
      if (!paths.contains(each)) {
        holds.release(each);
      }
    }
    for (IndexFile each : chosen) {
      if (holds.at(each.path()) == null) {
        open(each);
      }
    }
  }

  private void open(IndexFile file) {
    try {
      Hold hold = holds.open(holder, file);
      if (hold != null) {
        work.add(hold);
      }
    } catch (IOException e) {
      // It is gone, or another one: its SSTable is listed anew.
      live.distrust(file);
    }
  }

  private void repeat() {
    work.clear();
    for (String each : holds.paths()) {
      Hold hold = holds.at(each);
      if (hold != null) {
        work.add(hold);
      }
    }
  }

  private boolean work() throws LockRefused {
    Hold first = work.peek();
    if (first == null) {
      return false;
    }
    try {
      if (!first.proceed()) {
        work.remove();
      }
    } catch (LockRefused e) {
      work.clear();
      holds.releaseAll();
      throw e;
    } catch (IOException e) {
      work.remove();
      holds.release(first.file().path());
      live.distrust(first.file());
    }
    return !work.isEmpty();
  }

  /** From now on files are held in another way. For the thread that steps. */
  void holdBy(Holder other) {
    work.clear();
    holds.releaseAll();
    holder = other;
    plan = true;
  }

  /** Takes effect within a second. */
  void setEnabled(boolean enabled) {
    this.enabled = enabled;
  }

  boolean enabled() {
    return enabled;
  }

  /** Takes effect within a second. */
  void setBudget(long bytes) {
    budget = bytes;
  }

  /** Bytes; 0 before the first step. */
  long budget() {
    return Math.max(0, budget);
  }

  /** Bytes that may be held now. */
  long allowed() {
    return allowed;
  }

  /** Bytes that it would take to hold every file of a table that is read. */
  long wanted() {
    return wanted;
  }

  /** How many times memory was too short for what was held. */
  long shortages() {
    return shortages.get();
  }

  String mode() {
    return holder.mode();
  }
}
