package io.sluice.agent.join;

import io.sluice.agent.host.Libc;
import io.sluice.agent.host.ProcessLimits;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.concurrent.Semaphore;
import javax.management.JMException;
import org.jspecify.annotations.Nullable;

/**
 * Defers syncs while a thread writes files for a stream receiver. The syncs are done before the
 * receiver's transaction commits. An error of the agent itself ends the deferral: no further syncs
 * are deferred, and syncs deferred before are done at their commit. Safe for any thread.
 */
public final class Join {
  private static final Path ROOT = Paths.get("/");
  private static final int MAX_DESCRIPTORS = 4000;
  private static final long SHARE_OF_DESCRIPTORS = 10;

  private final JoinNode node;
  private final JoinCounts counts = new JoinCounts();
  private final Receivers receivers = new Receivers();
  private final ThreadFiles files = new ThreadFiles();
  private final ReflectedStreams streams = new ReflectedStreams();
  private final Deferral deferral;
  private final Bootstrap bootstrap;
  private volatile @Nullable Disk disk;
  private volatile Semaphore descriptors = new Semaphore(0);
  private boolean started;

  /** Creates an object that does nothing until {@link #receives} is called. */
  public Join(JoinNode node) {
    this.node = node;
    this.deferral = new Deferral(node::ended);
    this.bootstrap =
        new Bootstrap(node, deferral, new HeldCompactions(new ReflectedTables()), counts);
  }

  /**
   * Notes that a stream receiver was created, for the part of a stream session that concerns one
   * table.
   *
   * @param receiver Cassandra's {@code CassandraStreamReceiver}
   */
  public void receives(Object receiver) throws IOException, JMException {
    receivers.dropCollected();
    Disk current = startedDisk();
    if (current != null && deferral.isOn()) {
      receivers.add(receiver, () -> new WaitingSyncs(current, descriptors, counts));
      bootstrap.follow();
    }
  }

  private synchronized @Nullable Disk startedDisk() throws IOException, JMException {
    if (!started) {
      started = true;
      Libc libc;
      try {
        libc = Libc.load();
      } catch (IOException e) {
        end(String.valueOf(e.getMessage()), null);
        return null;
      }
      descriptors = new Semaphore(descriptorLimit());
      Disk made = new LibcDisk(libc);
      tryFunctions(made);
      disk = made;
      node.begins(this);
    }
    return disk;
  }

  private static int descriptorLimit() {
    return (int) Math.min(MAX_DESCRIPTORS, ProcessLimits.openFiles(ROOT) / SHARE_OF_DESCRIPTORS);
  }

  /**
   * Tries all functions of the C library, so that failures are known before any sync is deferred.
   */
  private static void tryFunctions(Disk disk) throws IOException {
    Path file = Files.createTempFile("sluice-join", null);
    try {
      WaitingSyncs trial = new WaitingSyncs(disk, new Semaphore(3), new JoinCounts());
      trial.logged(file.toString());
      if (!trial.putOff(trial, file.toString())) {
        throw new IOException(file + " cannot be opened");
      }
      if (!trial.putOffFolder(String.valueOf(file.getParent()))) {
        throw new IOException(file.getParent() + " cannot be opened");
      }
      trial.sstableFinished();
      trial.finish();
      trial.drop();
    } finally {
      Files.delete(file);
    }
  }

  /** Notes that this thread writes a file of a stream session, until {@link #writesNoMore}. */
  public void writesFor(Object session, Object header) throws ReflectiveOperationException {
    Object receiver = deferral.isOn() ? streams.receiverOf(session, header) : null;
    if (receiver != null) {
      writesFor(receiver);
    }
  }

  /** Notes that this thread writes files for a receiver, until {@link #writesNoMore}. */
  public void writesFor(Object receiver) {
    files.begin(deferral.isOn() ? receivers.of(receiver) : null);
  }

  /**
   * Notes the end of {@link #writesFor}.
   *
   * @param finished whether the writers of these files are closed
   */
  public void writesNoMore(boolean finished) {
    WaitingSyncs syncs = files.end();
    if (syncs != null && finished) {
      syncs.sstableFinished();
    }
  }

  /** Returns the files that the current thread writes. */
  public ThreadFiles files() {
    return files;
  }

  /**
   * Does the deferred syncs of a receiver before its transaction commits. Returns when all its
   * files are durable.
   *
   * @throws SyncFailed if a sync failed; then the transaction must not commit
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

  /** Drops the deferred syncs of a receiver whose transaction has ended without a commit. */
  public void aborts(Object receiver) {
    WaitingSyncs syncs = receivers.remove(receiver);
    if (syncs != null) {
      syncs.drop();
    }
  }

  /**
   * Whether a table's automatic compaction is deferred, so that the caller must skip it. Cassandra
   * submits that of each table about once a minute, also without streams. So this also closes the
   * files of streams that ended without a commit or an abort.
   */
  public boolean holdsCompaction(Object table) throws ReflectiveOperationException {
    receivers.dropCollected();
    return bootstrap.holdsCompaction(table);
  }

  /** Ends the deferral. */
  public void end(String why, @Nullable Throwable cause) {
    deferral.end(why, cause);
  }

  /** Whether syncs and compactions are deferred. */
  public boolean isEnabled() {
    return deferral.isOn();
  }

  /**
   * Switches the deferral on or off from the next file on. Syncs deferred before are done at their
   * commit.
   */
  public void setEnabled(boolean enabled) {
    deferral.setEnabled(enabled);
  }

  /** Returns the number of syncs that Cassandra requested and the agent deferred. */
  public long syncsPutOff() {
    return counts.syncsPutOff.get();
  }

  /** Returns the number of files synced before a commit. */
  public long filesSynced() {
    return counts.filesSynced.get();
  }

  /** Returns the bytes of those files. */
  public long bytesSynced() {
    return counts.bytesSynced.get();
  }

  /** Returns the number of files whose sync is deferred now. */
  public int filesWaiting() {
    return receivers.files();
  }

  /** Returns the number of commits that waited for syncs. */
  public long barriers() {
    return counts.barriers.get();
  }

  /** Returns the total time of these waits, in milliseconds. */
  public long barrierMillis() {
    return counts.barrierMillis();
  }

  /** Returns the longest of these waits, in milliseconds. */
  public long longestBarrierMillis() {
    return counts.longestBarrierMillis();
  }

  /** Returns the number of tables whose automatic compaction is deferred now. */
  public int compactionsHeld() {
    return bootstrap.compactionsHeld();
  }
}
