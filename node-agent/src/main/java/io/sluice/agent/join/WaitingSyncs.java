package io.sluice.agent.join;

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

    /** The size of the file at its latest deferred sync, and when writing began; in bytes. */
    long size;

    long begun;

    OpenFile(int descriptor, String path) {
      this.descriptor = descriptor;
      this.path = path;
    }
  }

  /**
   * The number of files of one receiver from which on they are synced together, even before the
   * commit.
   */
  static final int MAX_FILES = 1000;

  /**
   * The bytes from which on the kernel starts writing files. A sync of the transaction's log waits
   * for all blocks that the file system has allocated before, so many small writes delay it.
   */
  static final long BATCH_BYTES = 64L << 20;

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

  /** The bytes of deferred syncs whose writing has not begun. */
  private long idle;

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
   * Defers the sync of a file. Lets the kernel start writing files when they are large enough
   * together. Returns false if the caller must sync the file.
   *
   * @param writer the object that has the file open
   * @param path null if {@link #open} got it
   */
  boolean putOff(Object writer, @Nullable String path) {
    makeRoom();
    OpenFile file = openFile(writer, path);
    if (file == null) {
      return false;
    }
    counts.syncsPutOff.incrementAndGet();
    takeBatch(file, disk.size(file.path)).forEach(each -> disk.beginWriting(each.descriptor));
    return true;
  }

  /** Notes the size of a file. Returns the files to write now, in the order of their opening. */
  private synchronized List<OpenFile> takeBatch(OpenFile file, long size) {
    idle += Math.max(0, size - file.size);
    file.size = Math.max(file.size, size);
    List<OpenFile> batch = new ArrayList<>();
    if (idle >= BATCH_BYTES) {
      for (OpenFile each : files) {
        if (each.size > each.begun) {
          each.begun = each.size;
          batch.add(each);
        }
      }
      idle = 0;
    }
    return batch;
  }

  private void makeRoom() {
    if (isFull()) {
      syncFiles();
    }
  }

  private synchronized boolean isFull() {
    return files.size() >= MAX_FILES || (!files.isEmpty() && descriptors.availablePermits() == 0);
  }

  private synchronized @Nullable OpenFile openFile(Object writer, @Nullable String path) {
    OpenFile file = byWriter.get(writer);
    if (file == null) {
      file = openFile(path);
      if (file != null) {
        files.add(file);
        byWriter.put(writer, file);
      }
    }
    return file;
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

  /**
   * Syncs all files. It starts writing all of them before it waits for the first, so that their
   * blocks are allocated: one commit of the file system's journal is then enough for many files.
   */
  private void syncFiles() {
    List<OpenFile> taken = takeFiles();
    taken.forEach(each -> disk.beginWriting(each.descriptor));
    for (OpenFile each : taken) {
      if (sync(each)) {
        counts.filesSynced.incrementAndGet();
        counts.bytesSynced.addAndGet(disk.size(each.path));
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
    idle = 0;
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
