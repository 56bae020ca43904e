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
 * The deferred syncs of the files and folders of one stream receiver. Each file stays open until it
 * is synced, so the kernel reports its write errors, and renames do not matter. Safe for any
 * thread. No lock is held during disk operations.
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

  /**
   * The number of files of one receiver from which on they are synced together, even before the
   * commit.
   */
  static final int MOST_FILES = 1000;

  private final Disk disk;
  private final Semaphore descriptors;
  private final JoinCounts counts;
  private final IdentityHashMap<Object, OpenFile> byWriter = new IdentityHashMap<>();
  private final Map<String, OpenFile> folders = new LinkedHashMap<>();
  private List<OpenFile> files = new ArrayList<>();
  private @Nullable SyncFailed failure;
  private boolean ended;

  /** Whether a record of the transaction's log was seen and is durable. */
  private boolean logged;

  /** Files and folders whose sync is deferred, or has begun and not succeeded. */
  private int unsynced;

  /**
   * Creates an empty set.
   *
   * @param descriptors permits for open files, shared by all receivers
   */
  WaitingSyncs(Disk disk, Semaphore descriptors, JoinCounts counts) {
    this.disk = disk;
    this.descriptors = descriptors;
    this.counts = counts;
  }

  /**
   * Makes a new record of the transaction's log durable, because Cassandra syncs the log before it
   * writes the record. No sync is deferred before the first record. After a failed sync of the log,
   * none is deferred any more.
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
      onFailure(path, e);
    } finally {
      setLogged(durable);
    }
  }

  private synchronized void setLogged(boolean durable) {
    logged = durable;
    if (!durable) {
      ended = true;
      unsynced++;
    }
  }

  /**
   * Notes that a writer opens a file. The file is synced with the others even if Cassandra never
   * requests it.
   */
  void open(Object writer, String path) {
    makeRoom();
    openFile(writer, path);
  }

  /**
   * Defers the sync of a file, and lets the kernel start writing it. Returns false if the caller
   * must sync it.
   *
   * @param writer the object that has the file open
   * @param path null if {@link #open} got it
   */
  boolean putOff(Object writer, @Nullable String path) {
    makeRoom();
    int descriptor = openFile(writer, path);
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

  private synchronized int openFile(Object writer, @Nullable String path) {
    OpenFile known = byWriter.get(writer);
    if (known == null) {
      known = openFile(path);
      if (known == null) {
        return -1;
      }
      files.add(known);
      byWriter.put(writer, known);
    }
    return known.descriptor;
  }

  private @Nullable OpenFile openFile(@Nullable String path) {
    if (path == null || ended || !logged || !descriptors.tryAcquire()) {
      return null;
    }
    try {
      OpenFile file = new OpenFile(disk.open(path), path);
      unsynced++;
      return file;
    } catch (IOException e) {
      descriptors.release();
      return null;
    }
  }

  /** Defers the sync of a folder. Returns false if the caller must sync it. */
  synchronized boolean putOffFolder(String path) {
    OpenFile folder = folders.get(path);
    if (folder == null) {
      folder = openFile(path);
      if (folder == null) {
        return false;
      }
      folders.put(path, folder);
    }
    counts.syncsPutOff.incrementAndGet();
    return true;
  }

  /** Forgets the writers of a finished SSTable, so that they can be garbage-collected. */
  synchronized void sstableFinished() {
    byWriter.clear();
  }

  /**
   * Does all deferred syncs, files before folders. No sync is deferred afterwards.
   *
   * @throws SyncFailed if a file or folder is not durable
   */
  void finish() throws SyncFailed {
    synchronized (this) {
      ended = true;
    }
    syncFiles();
    takeFolders().forEach(this::sync);
    synchronized (this) {
      if (unsynced != 0) {
        throw failure == null ? new SyncFailed("a file", new IOException("unknown")) : failure;
      }
    }
  }

  private void syncFiles() {
    for (OpenFile each : takeFiles()) {
      if (sync(each)) {
        counts.filesSynced.incrementAndGet();
        counts.bytesSynced.addAndGet(new File(each.path).length());
      }
    }
  }

  private boolean sync(OpenFile file) {
    try {
      disk.sync(file.descriptor);
      onSynced();
      return true;
    } catch (IOException e) {
      onFailure(file.path, e);
      return false;
    } finally {
      close(file);
    }
  }

  private synchronized void onSynced() {
    unsynced--;
  }

  private synchronized List<OpenFile> takeFiles() {
    List<OpenFile> taken = files;
    files = new ArrayList<>();
    byWriter.clear();
    return taken;
  }

  private synchronized List<OpenFile> takeFolders() {
    List<OpenFile> taken = new ArrayList<>(folders.values());
    folders.clear();
    return taken;
  }

  private synchronized void onFailure(String path, IOException cause) {
    if (failure == null) {
      failure = new SyncFailed(path, cause);
    }
  }

  private void close(OpenFile file) {
    disk.close(file.descriptor);
    descriptors.release();
  }

  /** Drops all deferred syncs, because the files are not needed any more. */
  void drop() {
    synchronized (this) {
      ended = true;
    }
    takeFiles().forEach(this::close);
    takeFolders().forEach(this::close);
  }

  /** Returns the number of files whose sync is deferred. */
  synchronized int size() {
    return files.size();
  }
}
