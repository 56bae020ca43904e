package io.sluice.agent.join;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * The bootstrap of the node, from its first stream on. A thread waits for its end, submits the
 * compactions that were deferred meanwhile, and logs the summary. Safe for any thread.
 */
final class Bootstrap {
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

  private final JoinNode node;
  private final Deferral deferral;
  private final HeldCompactions compactions;
  private final JoinCounts counts;

  @GuardedBy("this")
  private boolean followed;

  @GuardedBy("this")
  private boolean over;

  Bootstrap(JoinNode node, Deferral deferral, HeldCompactions compactions, JoinCounts counts) {
    this.node = node;
    this.deferral = deferral;
    this.compactions = compactions;
    this.counts = counts;
  }

  /** Follows the bootstrap from now on, if there is one, and at most once to its end. */
  void follow() {
    if (node.isBootstrapping() && begins()) {
      Thread thread = new Thread(this::awaitEnd, "sluice-join");
      thread.setDaemon(true);
      thread.start();
    }
  }

  private synchronized boolean begins() {
    if (followed || over) {
      return false;
    }
    followed = true;
    return true;
  }

  private synchronized boolean isFollowed() {
    return followed && deferral.isOn();
  }

  private void awaitEnd() {
    boolean whole = false;
    try {
      while (node.isBootstrapping() && isFollowed()) {
        LockSupport.parkNanos(PAUSE_NANOS);
      }
      whole = deferral.isOn();
    } catch (Throwable e) {
      deferral.end("the agent failed", e);
    } finally {
      release(whole);
    }
  }

  /**
   * Submits the deferred compactions.
   *
   * @param whole whether syncs were deferred until the end of the bootstrap. Otherwise there is no
   *     summary, because the counts are not those of the bootstrap
   */
  private void release(boolean whole) {
    try {
      synchronized (this) {
        followed = false;
        over = whole;
      }
      int tables = compactions.release();
      if (whole) {
        node.say(counts.summary() + "; automatic compaction of " + tables + " tables was deferred");
      }
    } catch (Throwable e) {
      deferral.end("the agent failed", e);
    }
  }

  /**
   * Whether a table's automatic compaction is deferred until the end. The end may come meanwhile,
   * so the table is taken back then, unless it is submitted already.
   */
  boolean holdsCompaction(Object table) throws ReflectiveOperationException {
    return isFollowed()
        && compactions.holds(table)
        && (isFollowed() || !compactions.takeBack(table));
  }

  /** Returns the number of tables whose compaction is deferred now. */
  int compactionsHeld() {
    return compactions.size();
  }
}
