package io.sluice.agent.join;

import io.sluice.agent.host.Libc;
import io.sluice.agent.host.OpenFileLimit;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import javax.management.JMException;
import org.jspecify.annotations.Nullable;

/**
 * The room's door. While a thread writes for a stream receiver, syncs of its files wait; the commit
 * of the receiver's transaction does them first. Whatever goes wrong in the room itself ends it:
 * nothing is put off any more, and what was put off is synced at its commit. Safe for any thread.
 */
public final class Join {
  private static final Path ROOT = Paths.get("/");
  private static final ThreadLocal<WaitingSyncs> CURRENT = new ThreadLocal<>();
  private static final int MOST_DESCRIPTORS = 4000;
  private static final long SHARE_OF_DESCRIPTORS = 10;
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

  private final JoinNode node;
  private final JoinCounts counts = new JoinCounts();
  private final Receivers receivers = new Receivers();
  private final ReflectedStreams streams = new ReflectedStreams();
  private final HeldCompactions compactions = new HeldCompactions(new ReflectedTables());
  private volatile @Nullable Disk disk;
  private volatile Semaphore descriptors = new Semaphore(0);
  private volatile boolean enabled = true;
  private volatile boolean ended;
  private volatile boolean bootstrapped;
  private boolean begun;
  private boolean follows;

  /** Does nothing until {@link #receives} is called. */
  public Join(JoinNode node) {
    this.node = node;
  }

  /**
   * A stream receiver is made: one table's part of a stream session.
   *
   * @param receiver Cassandra's {@code CassandraStreamReceiver}
   */
  public void receives(Object receiver) throws IOException, JMException {
    Disk its = begunDisk();
    if (its != null && !ended && enabled) {
      receivers.add(receiver, () -> new WaitingSyncs(its, descriptors, counts));
      followBootstrap();
    }
  }

  private synchronized @Nullable Disk begunDisk() throws IOException, JMException {
    if (!begun) {
      begun = true;
      Libc libc;
      try {
        libc = Libc.load();
      } catch (IOException e) {
        end(String.valueOf(e.getMessage()), null);
        return null;
      }
      descriptors = new Semaphore(descriptorsToUse());
      Disk made = new LibcDisk(libc);
      tryOut(made);
      disk = made;
      node.begins(this);
    }
    return disk;
  }

  private static int descriptorsToUse() {
    return (int) Math.min(MOST_DESCRIPTORS, OpenFileLimit.of(ROOT) / SHARE_OF_DESCRIPTORS);
  }

  /** What cannot be loaded or called must be known before anything is put off. */
  private static void tryOut(Disk disk) throws IOException {
    Path file = Files.createTempFile("sluice-join", null);
    try {
      WaitingSyncs trial = new WaitingSyncs(disk, new Semaphore(3), new JoinCounts());
      trial.logged(file.toString());
      if (!trial.putOff(trial, file.toString())) {
        throw new IOException(file + " could not be opened");
      }
      if (!trial.putOffFolder(String.valueOf(file.getParent()))) {
        throw new IOException(file.getParent() + " could not be opened");
      }
      trial.sstableFinished();
      trial.finish();
      trial.drop();
    } finally {
      Files.delete(file);
    }
  }

  /** This thread writes a file of a stream session until {@link #writesNoMore}. */
  public void writesFor(Object session, Object header) throws ReflectiveOperationException {
    Object receiver = ended || !enabled ? null : streams.receiverOf(session, header);
    if (receiver != null) {
      writesFor(receiver);
    }
  }

  /** This thread writes files for a receiver until {@link #writesNoMore}. */
  public void writesFor(Object receiver) {
    WaitingSyncs syncs = ended || !enabled ? null : receivers.of(receiver);
    if (syncs == null) {
      CURRENT.remove();
    } else {
      CURRENT.set(syncs);
    }
  }

  /**
   * The end of {@link #writesFor}.
   *
   * @param finished whether the writers of these files have ended
   */
  public void writesNoMore(boolean finished) {
    WaitingSyncs syncs = CURRENT.get();
    if (syncs != null) {
      CURRENT.remove();
      if (finished) {
        syncs.sstableFinished();
      }
    }
  }

  /**
   * Whether the sync of a file waits, so that the caller must not do it now.
   *
   * @param writer the object that has the file open
   * @param path null if {@link #opens} told it
   */
  public boolean putsOff(Object writer, @Nullable String path) {
    WaitingSyncs syncs = CURRENT.get();
    return syncs != null && syncs.putOff(writer, path);
  }

  /** A record was appended to the log of the transaction that this thread writes for. */
  public void logged(String path) {
    WaitingSyncs syncs = CURRENT.get();
    if (syncs != null) {
      syncs.logged(path);
    }
  }

  /** A writer opens a file; a later {@link #putsOff} need not know the path. */
  public void opens(Object writer, String path) {
    WaitingSyncs syncs = CURRENT.get();
    if (syncs != null) {
      syncs.open(writer, path);
    }
  }

  /** The same for a folder. */
  public boolean putsOffFolder(String path) {
    WaitingSyncs syncs = CURRENT.get();
    return syncs != null && syncs.putOffFolder(path);
  }

  /**
   * A receiver's transaction is about to commit: returns when all its files are durable.
   *
   * @throws SyncFailed if something is not; then it must not commit
   */
  public void commits(Object receiver) throws SyncFailed {
    WaitingSyncs syncs = receivers.remove(receiver);
    if (syncs != null) {
      long before = node.nanos();
      try {
        syncs.finish();
      } finally {
        counts.barrier(node.nanos() - before);
      }
    }
  }

  /** A receiver's files are not wanted: its transaction has ended without a commit. */
  public void aborts(Object receiver) {
    WaitingSyncs syncs = receivers.remove(receiver);
    if (syncs != null) {
      syncs.drop();
    }
  }

  /** Whether a table's automatic compaction waits, so that it must not be submitted now. */
  public boolean holdsCompaction(Object table) throws ReflectiveOperationException {
    return followsBootstrap() && compactions.holds(table);
  }

  private synchronized boolean followsBootstrap() {
    return follows && !bootstrapped && !ended && enabled;
  }

  private void followBootstrap() {
    if (node.isBootstrapping() && beginsToFollow()) {
      Thread thread = new Thread(this::follow, "sluice-join");
      thread.setDaemon(true);
      thread.start();
    }
  }

  private synchronized boolean beginsToFollow() {
    if (follows || bootstrapped) {
      return false;
    }
    follows = true;
    return true;
  }

  private void follow() {
    try {
      while (node.isBootstrapping() && followsBootstrap()) {
        LockSupport.parkNanos(PAUSE_NANOS);
      }
      synchronized (this) {
        follows = false;
        bootstrapped = enabled;
      }
      node.say(summary(compactions.release()));
    } catch (Throwable e) {
      end("it failed", e);
    }
  }

  private String summary(int tables) {
    return "received "
        + filesSynced()
        + " files, "
        + bytesSynced()
        + " bytes; "
        + syncsPutOff()
        + " syncs waited and were done in "
        + barrierMillis()
        + " ms before "
        + barriers()
        + " commits, the longest "
        + longestBarrierMillis()
        + " ms; automatic compaction of "
        + tables
        + " tables waited";
  }

  /** Ends the room. */
  public void end(String why, @Nullable Throwable cause) {
    synchronized (this) {
      if (ended) {
        return;
      }
      ended = true;
    }
    node.ended(why, cause);
  }

  /** Whether syncs and compactions wait. */
  public boolean isEnabled() {
    return enabled && !ended;
  }

  /** Holds from the next file on; what waits already is synced at its commit. */
  public void setEnabled(boolean enabled) {
    this.enabled = enabled;
  }

  /** How many syncs Cassandra asked for that were put off. */
  public long syncsPutOff() {
    return counts.syncsPutOff.get();
  }

  /** How many files were synced at a barrier. */
  public long filesSynced() {
    return counts.filesSynced.get();
  }

  /** Bytes of those files. */
  public long bytesSynced() {
    return counts.bytesSynced.get();
  }

  /** How many files wait. */
  public int filesWaiting() {
    return receivers.files();
  }

  /** How many commits waited for syncs. */
  public long barriers() {
    return counts.barriers.get();
  }

  /** How long they waited, all together. */
  public long barrierMillis() {
    return counts.barrierMillis();
  }

  /** How long one of them waited at most. */
  public long longestBarrierMillis() {
    return counts.longestBarrierMillis();
  }

  /** How many tables' automatic compaction waits. */
  public int compactionsHeld() {
    return compactions.size();
  }
}
