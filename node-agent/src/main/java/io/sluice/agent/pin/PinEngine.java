package io.sluice.agent.pin;

import io.sluice.agent.host.MemoryGauge;
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
 * Keeps the planned files in memory. Each step reads changes of SSTables, memory once a second, and
 * the tables' reads every ten seconds. It then releases files that are not planned, and does one
 * small piece of work on the others. {@link #step} is called by one thread; settings and figures
 * are safe for any thread.
 */
final class PinEngine {
  /** The most files to keep. The kernel limits the mappings of a process, by default to 65,530. */
  static final int MOST_FILES = 20_000;

  static final long MEMORY_NANOS = TimeUnit.SECONDS.toNanos(1);
  static final long READS_NANOS = TimeUnit.SECONDS.toNanos(10);
  private static final long HALF_LIFE_NANOS = TimeUnit.HOURS.toNanos(1);

  /** Reads the state of memory. */
  interface Memory {
    MemoryGauge.State read() throws IOException;
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
   * Creates an engine.
   *
   * @param budgetOf returns the budget for the most memory that the process can get, in bytes
   * @param reads returns counters of the reads of tables since they were opened
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
   * Does one step. Returns whether there is more to do at once.
   *
   * @throws LockRefused if files cannot be kept in this way; they have been released
   * @throws ReflectiveOperationException if this version's classes are not as expected
   */
  boolean step(long nanos) throws IOException, ReflectiveOperationException {
    if (due(memoryAt, MEMORY_NANOS, nanos)) {
      memoryAt = nanos;
      updateAllowance(nanos);
      dropReplacedFiles();
    }
    updateFiles();
    if (due(readsAt, READS_NANOS, nanos)) {
      readsAt = nanos;
      recent.sample(reads.apply(live.tables()), nanos);
      plan = true;
    }
    if (plan) {
      plan = false;
      apply(new PinPlan(live.all(), recent.byTable(), holds.paths()));
    }
    if (holder.repeats() && due(repeatedAt, READS_NANOS, nanos)) {
      repeatedAt = nanos;
      readAllAgain();
    }
    return work();
  }

  private static boolean due(@Nullable Long last, long interval, long now) {
    return last == null || now - last >= interval;
  }

  private void updateFiles() throws ReflectiveOperationException {
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

  private void updateAllowance(long nanos) throws IOException {
    MemoryGauge.State now = memory.read();
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

  private void apply(PinPlan now) {
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
      // The file is gone or has changed: list its SSTable again.
      live.distrust(file);
    }
  }

  private void readAllAgain() {
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

  /** Keeps files in another way from now on. Called by the thread that calls {@link #step}. */
  void holdBy(Holder other) {
    work.clear();
    holds.releaseAll();
    holder = other;
    plan = true;
  }

  /** Switches {@code pin} on or off within a second. */
  void setEnabled(boolean enabled) {
    this.enabled = enabled;
  }

  boolean enabled() {
    return enabled;
  }

  /** Sets the budget within a second. */
  void setBudget(long bytes) {
    budget = bytes;
  }

  /** Returns the budget in bytes; 0 before the first step. */
  long budget() {
    return Math.max(0, budget);
  }

  /** Returns the bytes that may be kept in memory now. */
  long allowed() {
    return allowed;
  }

  /** Returns the size of all files of all tables with reads, in bytes. */
  long wanted() {
    return wanted;
  }

  /** Returns how many times memory was too short for the kept files. */
  long shortages() {
    return shortages.get();
  }

  String mode() {
    return holder.mode();
  }
}
