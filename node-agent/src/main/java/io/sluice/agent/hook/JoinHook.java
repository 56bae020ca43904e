package io.sluice.agent.hook;

import io.sluice.agent.join.Join;
import io.sluice.agent.join.SyncFailed;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.jspecify.annotations.Nullable;

/**
 * Called where streaming writes, syncs, commits and aborts, and where automatic compaction is
 * submitted. Safe for any thread. Nothing here throws.
 */
public final class JoinHook {
  private static final String WRITE_ERROR = "org.apache.cassandra.io.FSWriteError";

  /** Made beforehand, for when nothing can be made. */
  @SuppressWarnings("StaticAssignmentOfThrowable")
  private static final Throwable NOT_DURABLE =
      new IllegalStateException("what was streamed could not be synced");

  private static volatile @Nullable Join join;

  private JoinHook() {}

  /** Must come before the first stream; without it nothing is put off. */
  public static void prepare() {
    try {
      join = new Join(new JoinBeans());
    } catch (Throwable e) {
      AgentLog.warn("syncs of streamed files do not wait, it failed", e);
    }
  }

  /** A stream receiver is made. */
  public static void receives(Object receiver) {
    Join its = join;
    if (its != null) {
      try {
        its.receives(receiver);
      } catch (Throwable e) {
        end(its, e);
      }
    }
  }

  /** This thread reads a file from a stream until {@link #writesNoMore}. */
  public static void reads(Object session, Object header) {
    Join its = join;
    if (its != null) {
      try {
        its.writesFor(session, header);
      } catch (Throwable e) {
        end(its, e);
      }
    }
  }

  /** This thread finishes a file that a receiver has received, until {@link #writesNoMore}. */
  public static void finishes(Object receiver) {
    Join its = join;
    if (its != null) {
      try {
        its.writesFor(receiver);
      } catch (Throwable e) {
        end(its, e);
      }
    }
  }

  /**
   * The end of what this thread writes.
   *
   * @param finished whether the writers of its files have ended
   */
  public static void writesNoMore(boolean finished) {
    Join its = join;
    if (its != null) {
      try {
        its.writesNoMore(finished);
      } catch (Throwable e) {
        end(its, e);
      }
    }
  }

  /** A record was appended to the log of a transaction. */
  public static void logged(Object file) {
    Join its = join;
    if (its != null) {
      try {
        its.logged(file.toString());
      } catch (Throwable e) {
        end(its, e);
      }
    }
  }

  /** A file of lines was written, if it is the list of an SSTable's components. */
  public static void wrote(Object file) {
    if (file.toString().endsWith("TOC.txt")) {
      opens(file, file);
    }
  }

  /** A writer opens a file. */
  public static void opens(Object writer, Object file) {
    Join its = join;
    if (its != null) {
      try {
        its.opens(writer, file.toString());
      } catch (Throwable e) {
        end(its, e);
      }
    }
  }

  /**
   * Whether the sync of a file waits, so that it is skipped now.
   *
   * @param path null if {@link #opens} told it
   */
  public static boolean putsOff(Object writer, @Nullable String path) {
    Join its = join;
    if (its != null) {
      try {
        return its.putsOff(writer, path);
      } catch (Throwable e) {
        end(its, e);
      }
    }
    return false;
  }

  /** The same for a folder. */
  public static boolean putsOffFolder(Object folder) {
    Join its = join;
    if (its != null) {
      try {
        return its.putsOffFolder(folder.toString());
      } catch (Throwable e) {
        end(its, e);
      }
    }
    return false;
  }

  /**
   * A receiver's transaction is about to commit: all its files are durable when this returns null.
   * Else the transaction is aborted, and must fail with what is returned.
   */
  public static @Nullable Throwable commits(Object receiver) {
    Join its = join;
    if (its == null) {
      return null;
    }
    try {
      its.commits(receiver);
      return null;
    } catch (Throwable e) {
      try {
        return refused(its, receiver, e);
      } catch (Throwable again) {
        return NOT_DURABLE;
      }
    }
  }

  private static Throwable refused(Join its, Object receiver, Throwable cause) {
    String path = String.valueOf(receiver);
    if (cause instanceof SyncFailed) {
      path = ((SyncFailed) cause).path();
    } else {
      end(its, cause);
    }
    Throwable refusal = writeError(receiver.getClass().getClassLoader(), path, cause);
    try {
      receiver.getClass().getMethod("abort").invoke(receiver);
    } catch (ReflectiveOperationException e) {
      refusal.addSuppressed(e);
    }
    return refusal;
  }

  /** What Cassandra itself throws when a sync fails, so that its disk failure policy applies. */
  private static Throwable writeError(@Nullable ClassLoader loader, String path, Throwable cause) {
    try {
      return Class.forName(WRITE_ERROR, true, loader)
          .asSubclass(Throwable.class)
          .getConstructor(Throwable.class, String.class)
          .newInstance(cause, path);
    } catch (ReflectiveOperationException e) {
      return new UncheckedIOException(
          cause instanceof IOException ? (IOException) cause : new IOException(cause));
    }
  }

  /** A receiver's transaction is aborted. */
  public static void aborts(Object receiver) {
    Join its = join;
    if (its != null) {
      try {
        its.aborts(receiver);
      } catch (Throwable e) {
        end(its, e);
      }
    }
  }

  /** Whether a table's automatic compaction waits, so that it is not submitted now. */
  public static boolean holdsCompaction(Object table) {
    Join its = join;
    if (its != null) {
      try {
        return its.holdsCompaction(table);
      } catch (Throwable e) {
        end(its, e);
      }
    }
    return false;
  }

  /** Nothing is put off any more; what was is synced at its commit. */
  private static void end(Join its, Throwable cause) {
    try {
      its.end("it failed", cause);
    } catch (Throwable e) {
      AgentLog.warn("syncs of streamed files may still wait", e);
    }
  }
}
