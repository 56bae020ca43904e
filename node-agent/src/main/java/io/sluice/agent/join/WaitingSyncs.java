package io.sluice.agent.join;

import java.io.File;
import java.io.IOException;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/**
 * The files and folders of one stream receiver whose syncs wait. Each file is kept open until it is
 * synced: the kernel then reports an error of writing it, and a name that comes to lead to another
 * file does not matter. Safe for any thread; no lock is held while the disk works.
 */
final class WaitingSyncs {
  private static final class OpenFile {
    final int descriptor;
    final String path;

    OpenFile(int descriptor, String path) {
      this.descriptor = descriptor;
      this.path = path;
    }
  }

  /** So many files of one receiver are synced together, before the barrier if need be. */
  static final int MOST_FILES = 1000;

  private final Disk disk;
  private final Semaphore descriptors;
  private final JoinCounts counts;
  private final IdentityHashMap<Object, OpenFile> byWriter = new IdentityHashMap<>();
  private final Map<String, OpenFile> folders = new LinkedHashMap<>();
  private List<OpenFile> files = new ArrayList<>();
  private @Nullable SyncFailed failure;
  private boolean ended;

  /** Whether records of the transaction's log are seen, and durable. */
  private boolean logged;

  /** Files and folders that wait, or whose sync has begun and has not returned. */
  private int owed;

  /**
   * @param descriptors permits for open files, shared by all receivers
   */
  WaitingSyncs(Disk disk, Semaphore descriptors, JoinCounts counts) {
    this.disk = disk;
    this.descriptors = descriptors;
    this.counts = counts;
  }

  /**
   * The transaction's log has one more record, which is durable when this returns. Cassandra syncs
   * the log before it writes the record. Nothing is put off before the first record, and nothing
   * more after one that could not be synced.
   */
  void logged(String path) {
    boolean durable = false;
    try {
      int descriptor = disk.open(path);
      try {
        disk.sync(descriptor);
        durable = true;
      } finally {
        disk.close(descriptor);
      }
    } catch (IOException e) {
      failed(path, e);
    } finally {
      became(durable);
    }
  }

  private synchronized void became(boolean durable) {
    logged = durable;
    if (!durable) {
      ended = true;
      owed++;
    }
  }

  /**
   * A writer opens a file, which is synced with the others even if Cassandra never asks for that.
   */
  void open(Object writer, String path) {
    makeRoom();
    opened(writer, path);
  }

  /**
   * Puts off the sync of a file, and lets the kernel begin to write it; false if the caller must
   * sync it.
   *
   * @param writer the object that has the file open
   * @param path null if it was told by {@link #open}
   */
  boolean putOff(Object writer, @Nullable String path) {
    makeRoom();
    int descriptor = opened(writer, path);
    if (descriptor < 0) {
      return false;
    }
    counts.syncsPutOff.incrementAndGet();
    disk.beginWriting(descriptor);
    return true;
  }

  private void makeRoom() {
    if (isFull()) {
      syncFiles();
    }
  }

  private synchronized boolean isFull() {
    return files.size() >= MOST_FILES || (!files.isEmpty() && descriptors.availablePermits() == 0);
  }

  private synchronized int opened(Object writer, @Nullable String path) {
    OpenFile known = byWriter.get(writer);
    if (known == null) {
      known = opened(path);
      if (known == null) {
        return -1;
      }
      files.add(known);
      byWriter.put(writer, known);
    }
    return known.descriptor;
  }

  private @Nullable OpenFile opened(@Nullable String path) {
    if (path == null || ended || !logged || !descriptors.tryAcquire()) {
      return null;
    }
    try {
      OpenFile file = new OpenFile(disk.open(path), path);
      owed++;
      return file;
    } catch (IOException e) {
      descriptors.release();
      return null;
    }
  }

  /** Puts off the sync of a folder; false if the caller must sync it. */
  synchronized boolean putOffFolder(String path) {
    OpenFile folder = folders.get(path);
    if (folder == null) {
      folder = opened(path);
      if (folder == null) {
        return false;
      }
      folders.put(path, folder);
    }
    counts.syncsPutOff.incrementAndGet();
    return true;
  }

  /** An SSTable is finished: its writers are not held any longer. */
  synchronized void sstableFinished() {
    byWriter.clear();
  }

  /**
   * Syncs all that waits, files before folders. Nothing is put off afterwards.
   *
   * @throws SyncFailed if something is not durable
   */
  void finish() throws SyncFailed {
    synchronized (this) {
      ended = true;
    }
    syncFiles();
    takenFolders().forEach(this::sync);
    synchronized (this) {
      if (owed != 0) {
        throw failure == null ? new SyncFailed("a file", new IOException("unknown")) : failure;
      }
    }
  }

  private void syncFiles() {
    for (OpenFile each : takenFiles()) {
      if (sync(each)) {
        counts.filesSynced.incrementAndGet();
        counts.bytesSynced.addAndGet(new File(each.path).length());
      }
    }
  }

  private boolean sync(OpenFile file) {
    try {
      disk.sync(file.descriptor);
      paid();
      return true;
    } catch (IOException e) {
      failed(file.path, e);
      return false;
    } finally {
      close(file);
    }
  }

  private synchronized void paid() {
    owed--;
  }

  private synchronized List<OpenFile> takenFiles() {
    List<OpenFile> taken = files;
    files = new ArrayList<>();
    byWriter.clear();
    return taken;
  }

  private synchronized List<OpenFile> takenFolders() {
    List<OpenFile> taken = new ArrayList<>(folders.values());
    folders.clear();
    return taken;
  }

  private synchronized void failed(String path, IOException cause) {
    if (failure == null) {
      failure = new SyncFailed(path, cause);
    }
  }

  private void close(OpenFile file) {
    disk.close(file.descriptor);
    descriptors.release();
  }

  /** Forgets all that waits: its files are not wanted any more. */
  void drop() {
    synchronized (this) {
      ended = true;
    }
    takenFiles().forEach(this::close);
    takenFolders().forEach(this::close);
  }

  /** How many files wait. */
  synchronized int size() {
    return files.size();
  }
}
