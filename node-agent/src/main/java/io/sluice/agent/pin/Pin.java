package io.sluice.agent.pin;

import io.sluice.agent.host.Libc;
import io.sluice.agent.host.MemoryGauge;
import io.sluice.agent.host.ProcessLimits;
import java.io.IOException;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import javax.management.JMException;
import org.jspecify.annotations.Nullable;

/**
 * Keeps index files in memory, on a thread of its own, after Cassandra has opened its tables. Any
 * error ends it: all files are released, and one line is logged. Safe for any thread.
 */
public final class Pin {
  private static final Path ROOT = Paths.get("/");
  private static final long PAUSE_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** The time to wait after a change, because changes of SSTables come in bursts. */
  private static final long BURST_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  /** A piece that took longer was read from disk. The thread then pauses for the same time. */
  private static final long FROM_DISK_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

  private final PinSettings settings;
  private final PinNode node;
  private final MemoryGauge gauge = new MemoryGauge(ROOT);
  private final Holds holds = new Holds();
  private final LiveFiles live;
  private final AtomicBoolean started = new AtomicBoolean();
  private final AtomicBoolean ended = new AtomicBoolean();
  private final Thread thread;
  private volatile @Nullable PinEngine engine;

  /** Creates an object that does nothing until {@link #changed} is called. */
  public Pin(PinSettings settings, PinNode node) {
    this.settings = settings;
    this.node = node;
    this.live = new LiveFiles(new ReflectedLists(), settings);
    this.thread = new Thread(this::run, "sluice-pin");
    thread.setDaemon(true);
  }

  /**
   * Notes that the SSTables of a table have changed. Does not block.
   *
   * @param tracker Cassandra's {@code Tracker} of the table
   */
  public void changed(Object tracker) {
    if (!ended.get()) {
      live.changed(tracker);
      if (started.compareAndSet(false, true)) {
        thread.start();
      }
      LockSupport.unpark(thread);
    }
  }

  /**
   * Releases the files of an SSTable that is about to be deleted.
   *
   * @param base path of its components, up to the dash before the component's name
   */
  public void deleting(String base) {
    if (!ended.get()) {
      holds.deleting(Paths.get(base + "-").toAbsolutePath().toString());
    }
  }

  /**
   * Ends {@code pin}, and releases all files.
   *
   * @param why the reason; null if it was logged already
   */
  public void end(@Nullable String why, @Nullable Throwable cause) {
    if (ended.compareAndSet(false, true)) {
      holds.closeAll();
      node.ended(why, cause);
    }
  }

  private void run() {
    try {
      while (!ended.get() && !node.isUp()) {
        LockSupport.parkNanos(PAUSE_NANOS);
      }
      work(begin());
    } catch (Throwable e) {
      end("the agent failed", e);
    }
  }

  private PinEngine begin() throws IOException, JMException {
    long budget = settings.budget(gauge.read().totalBytes());
    Libc libc = null;
    @Nullable String refusal;
    try {
      libc = Libc.load();
      long limit = ProcessLimits.lockableBytes(ROOT);
      refusal = limit >= budget ? null : "RLIMIT_MEMLOCK leaves " + limit + " bytes to lock";
    } catch (IOException e) {
      refusal = String.valueOf(e.getMessage());
    }
    Holder holder =
        libc == null || refusal != null
            ? new TouchingHolder(libc)
            : new LockingHolder(libc, () -> ProcessLimits.lockableBytes(ROOT));
    PinEngine made =
        new PinEngine(live, holds, holder, new PinBudget(budget, gauge::read), node::reads);
    engine = made;
    node.begins(this);
    node.say(
        "index files are kept in memory, "
            + holder.mode()
            + ", up to "
            + budget
            + " bytes"
            + (refusal == null ? "" : "; they are not locked: " + refusal));
    return made;
  }

  private void work(PinEngine engine) throws IOException, ReflectiveOperationException {
    while (!ended.get()) {
      long before = node.nanos();
      boolean more;
      try {
        more = engine.step(before);
      } catch (LockRefused e) {
        node.say("index files are touched from now on, not locked: " + e.getMessage());
        engine.holdBy(new TouchingHolder(loaded()));
        more = true;
      }
      long took = node.nanos() - before;
      if (!more) {
        LockSupport.parkNanos(PAUSE_NANOS);
        pause(BURST_NANOS);
      } else if (took > FROM_DISK_NANOS) {
        pause(Math.min(took, PAUSE_NANOS));
      }
    }
  }

  private static @Nullable Libc loaded() {
    try {
      return Libc.load();
    } catch (IOException e) {
      return null;
    }
  }

  /** Pauses for the whole time; parking alone would end at a change of SSTables. */
  private void pause(long nanos) {
    long end = node.nanos() + nanos;
    for (long left = nanos; left > 0 && !ended.get(); left = end - node.nanos()) {
      LockSupport.parkNanos(left);
    }
  }

  /** Returns {@code locked}, {@code touched} or {@code off}. */
  public String mode() {
    PinEngine now = engine;
    return now == null || ended.get() ? "off" : now.mode();
  }

  /** Whether files may be kept in memory. */
  public boolean isEnabled() {
    PinEngine now = engine;
    return now != null && !ended.get() && now.budget().isEnabled();
  }

  /** Switches {@code pin} on or off within a second. */
  public void setEnabled(boolean enabled) {
    PinEngine now = engine;
    if (now != null) {
      now.budget().setEnabled(enabled);
      LockSupport.unpark(thread);
    }
  }

  /** Returns the most bytes that may be kept in memory. */
  public long budgetBytes() {
    PinEngine now = engine;
    return now == null ? 0 : now.budget().bytes();
  }

  /**
   * Sets the budget within a second. Locked files get no more than the process may lock.
   *
   * @param bytes at least 0
   */
  public void setBudgetBytes(long bytes) {
    PinEngine now = engine;
    if (now != null) {
      now.budget().setBytes(bytes);
    }
  }

  /**
   * Returns the part of the budget that memory and the limit of locked memory allow now, in bytes.
   */
  public long allowedBytes() {
    PinEngine now = engine;
    return now == null ? 0 : now.budget().allowed();
  }

  /** Returns the size of all index files of all tables with reads, in bytes. */
  public long wantedBytes() {
    PinEngine now = engine;
    return now == null ? 0 : now.wanted();
  }

  /** Returns how many times memory was too short for the kept files. */
  public long shortages() {
    PinEngine now = engine;
    return now == null ? 0 : now.budget().shortages();
  }

  /** Returns the bytes kept in memory, in whole pages. */
  public long heldBytes() {
    return holds.heldBytes();
  }

  /** Returns the number of kept files. */
  public int heldFiles() {
    return holds.size();
  }

  /** Returns the bytes kept in memory by table, {@code ks.table}. */
  public Map<String, Long> heldBytesByTable() {
    return holds.heldBytesByTable();
  }

  /**
   * Returns the bytes of kept files that are in memory now, according to mincore; -1 if unknown.
   */
  public long residentBytes() throws IOException {
    return holds.residentBytes();
  }
}
