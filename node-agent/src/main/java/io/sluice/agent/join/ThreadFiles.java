package io.sluice.agent.join;

import org.jspecify.annotations.Nullable;

/** The files that the current thread writes for a stream receiver. Safe for any thread. */
public final class ThreadFiles {
  private static final ThreadLocal<WaitingSyncs> SYNCS = new ThreadLocal<>();

  /** The small file that this thread writes by a method that syncs it. */
  private static final ThreadLocal<Written> WRITTEN = new ThreadLocal<>();

  private static final class Written {
    final Object file;
    final boolean isLog;

    Written(Object file, boolean isLog) {
      this.file = file;
      this.isLog = isLog;
    }
  }

  ThreadFiles() {}

  /** Notes that this thread writes files whose syncs may be deferred; null if they may not. */
  void begin(@Nullable WaitingSyncs syncs) {
    if (syncs == null) {
      SYNCS.remove();
    } else {
      SYNCS.set(syncs);
    }
  }

  /** Notes the end of {@link #begin}, and returns its argument. */
  @Nullable WaitingSyncs end() {
    WaitingSyncs syncs = SYNCS.get();
    SYNCS.remove();
    WRITTEN.remove();
    return syncs;
  }

  /**
   * Whether the sync of a file is deferred, so that the caller must skip it.
   *
   * @param writer the object that has the file open
   * @param path null if {@link #opens} got it
   */
  public boolean putsOff(Object writer, @Nullable String path) {
    WaitingSyncs syncs = SYNCS.get();
    return syncs != null && syncs.putOff(writer, path);
  }

  /**
   * Notes that this thread appends a record to the log of the transaction that it writes for, until
   * {@link #logged}.
   */
  public void logs(Object file) {
    if (SYNCS.get() != null) {
      WRITTEN.set(new Written(file, true));
    }
  }

  /**
   * Notes the end of {@link #logs}. The record is durable afterwards.
   *
   * @param appended whether the record was appended
   */
  public void logged(Object file, boolean appended) {
    WRITTEN.remove();
    WaitingSyncs syncs = SYNCS.get();
    if (syncs != null && appended) {
      syncs.logged(file.toString());
    }
  }

  /** Notes that a writer opens a file, so that a later {@link #putsOff} needs no path. */
  public void opens(Object writer, String path) {
    WaitingSyncs syncs = SYNCS.get();
    if (syncs != null) {
      Written written = WRITTEN.get();
      boolean same = written != null && written.file.toString().equals(path);
      syncs.open(same ? written.file : writer, path);
    }
  }

  /** Notes that this thread writes a file as a whole, until {@link #wrote}. */
  public void writes(Object file) {
    if (SYNCS.get() != null) {
      WRITTEN.set(new Written(file, false));
    }
  }

  /**
   * Whether the sync of the file of {@link #writes} or {@link #logs} is deferred, so that the
   * caller must skip it. The sync of a log is deferred until {@link #logged} only.
   */
  public boolean putsOffWritten() {
    Written written = WRITTEN.get();
    return written != null && (written.isLog || putsOff(written.file, written.file.toString()));
  }

  /**
   * Notes the end of {@link #writes}. The file is synced with the others, even if it was synced
   * before its last bytes were written.
   */
  public void wrote(Object file) {
    Written written = WRITTEN.get();
    if (written != null && !written.isLog && written.file == file) {
      WRITTEN.remove();
      opens(file, file.toString());
    }
  }

  /** Whether the sync of a folder is deferred, so that the caller must skip it. */
  public boolean putsOffFolder(String path) {
    WaitingSyncs syncs = SYNCS.get();
    return syncs != null && syncs.putOffFolder(path);
  }
}
