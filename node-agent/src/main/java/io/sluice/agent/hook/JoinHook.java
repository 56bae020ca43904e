package io.sluice.agent.hook;

import io.sluice.agent.join.Join;
import io.sluice.agent.join.SyncFailed;
import io.sluice.agent.join.UnsyncedChannel;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Called when streaming writes, syncs, commits or aborts, and when automatic compaction is
 * submitted. Safe for any thread. No method throws.
 */
public final class JoinHook {
  private static final String WRITE_ERROR = "org.apache.cassandra.io.FSWriteError";

  /** Created in advance, for the case that no exception can be created. */
  @SuppressWarnings("StaticAssignmentOfThrowable")
  private static final Throwable NOT_DURABLE =
      new IllegalStateException("cannot sync streamed files");

  private static final Pattern WRITTEN = Pattern.compile("(TOC\\.txt|Digest\\.[a-z0-9]+)$");

  private static volatile @Nullable Join join;

  private JoinHook() {}

  /** Enables the deferral of syncs. Must be called before the first stream. */
  public static void prepare() {
    try {
      join = new Join(new JoinBeans());
    } catch (Throwable e) {
      AgentLog.warn("syncs of streamed files are not deferred, the agent failed", e);
    }
  }

  /** Notes that a stream receiver was created. */
  public static void receives(Object receiver) {
    Join current = join;
    if (current != null) {
      try {
        current.receives(receiver);
      } catch (Throwable e) {
        end(current, e);
      }
    }
  }

  /** Notes that this thread reads a file from a stream, until {@link #writesNoMore}. */
  public static void reads(Object session, Object header) {
    Join current = join;
    if (current != null) {
      try {
        current.writesFor(session, header);
      } catch (Throwable e) {
        end(current, e);
      }
    }
  }

  /** Notes that this thread finishes a received file of a receiver, until {@link #writesNoMore}. */
  public static void finishes(Object receiver) {
    Join current = join;
    if (current != null) {
      try {
        current.writesFor(receiver);
      } catch (Throwable e) {
        end(current, e);
      }
    }
  }

  /**
   * Notes the end of what this thread writes.
   *
   * @param finished whether the writers of its files are closed
   */
  public static void writesNoMore(boolean finished) {
    Join current = join;
    if (current != null) {
      try {
        current.writesNoMore(finished);
      } catch (Throwable e) {
        end(current, e);
      }
    }
  }

  /** Notes that this thread appends a record to the log of a transaction, until {@link #logged}. */
  public static void logs(Object file) {
    Join current = join;
    if (current != null) {
      try {
        current.files().logs(file);
      } catch (Throwable e) {
        end(current, e);
      }
    }
  }

  /**
   * Notes the end of {@link #logs}.
   *
   * @param appended whether the record was appended
   */
  public static void logged(Object file, boolean appended) {
    Join current = join;
    if (current != null) {
      try {
        current.files().logged(file, appended);
      } catch (Throwable e) {
        end(current, e);
      }
    }
  }

  /**
   * Notes that this thread writes a file as a whole, until {@link #wrote}. Only checksums and lists
   * of components of an SSTable matter.
   */
  public static void writes(Object file) {
    Join current = join;
    if (current != null) {
      try {
        if (WRITTEN.matcher(file.toString()).find()) {
          current.files().writes(file);
        }
      } catch (Throwable e) {
        end(current, e);
      }
    }
  }

  /** Notes the end of {@link #writes}. */
  public static void wrote(Object file) {
    Join current = join;
    if (current != null) {
      try {
        current.files().wrote(file);
      } catch (Throwable e) {
        end(current, e);
      }
    }
  }

  /**
   * Returns the channel for a sync of the file of {@link #writes}: the same channel, or one that
   * does not sync, because the sync is deferred.
   */
  public static FileChannel channel(FileChannel channel) {
    return putsOffWritten() ? new UnsyncedChannel(channel) : channel;
  }

  /**
   * Whether to skip the sync of the file of {@link #logs} or {@link #writes} now, because it is
   * deferred.
   */
  public static boolean putsOffWritten() {
    Join current = join;
    if (current != null) {
      try {
        return current.files().putsOffWritten();
      } catch (Throwable e) {
        end(current, e);
      }
    }
    return false;
  }

  /** Notes that a writer opens a file. */
  public static void opens(Object writer, Object file) {
    Join current = join;
    if (current != null) {
      try {
        current.files().opens(writer, file.toString());
      } catch (Throwable e) {
        end(current, e);
      }
    }
  }

  /**
   * Whether to skip the sync of a file now, because it is deferred.
   *
   * @param path null if {@link #opens} got it
   */
  public static boolean putsOff(Object writer, @Nullable String path) {
    Join current = join;
    if (current != null) {
      try {
        return current.files().putsOff(writer, path);
      } catch (Throwable e) {
        end(current, e);
      }
    }
    return false;
  }

  /** Whether to skip the sync of a folder now, because it is deferred. */
  public static boolean putsOffFolder(Object folder) {
    Join current = join;
    if (current != null) {
      try {
        return current.files().putsOffFolder(folder.toString());
      } catch (Throwable e) {
        end(current, e);
      }
    }
    return false;
  }

  /**
   * Makes all files of a receiver durable before its transaction commits, and then returns null. If
   * this fails, it aborts the transaction and returns the exception that the commit must throw.
   */
  public static @Nullable Throwable commits(Object receiver) {
    Join current = join;
    if (current == null) {
      return null;
    }
    try {
      current.commits(receiver);
      return null;
    } catch (Throwable e) {
      try {
        return refused(current, receiver, e);
      } catch (Throwable again) {
        return NOT_DURABLE;
      }
    }
  }

  private static Throwable refused(Join current, Object receiver, Throwable cause) {
    String path = String.valueOf(receiver);
    if (cause instanceof SyncFailed) {
      path = ((SyncFailed) cause).path();
    } else {
      end(current, cause);
    }
    Throwable refusal = writeError(receiver.getClass().getClassLoader(), path, cause);
    try {
      receiver.getClass().getMethod("abort").invoke(receiver);
    } catch (ReflectiveOperationException e) {
      refusal.addSuppressed(e);
    }
    return refusal;
  }

  /**
   * Returns the exception that Cassandra throws when a sync fails, so that its disk failure policy
   * applies.
   */
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

  /** Notes that a receiver's transaction is aborted. */
  public static void aborts(Object receiver) {
    Join current = join;
    if (current != null) {
      try {
        current.aborts(receiver);
      } catch (Throwable e) {
        end(current, e);
      }
    }
  }

  /** Whether to skip a table's automatic compaction now, because it is deferred. */
  public static boolean holdsCompaction(Object table) {
    Join current = join;
    if (current != null) {
      try {
        return current.holdsCompaction(table);
      } catch (Throwable e) {
        end(current, e);
      }
    }
    return false;
  }

  /** Ends the deferral. Syncs deferred before are done at their commit. */
  private static void end(Join current, Throwable cause) {
    try {
      current.end("the agent failed", cause);
    } catch (Throwable e) {
      AgentLog.warn("syncs of streamed files may still be deferred", e);
    }
  }
}
