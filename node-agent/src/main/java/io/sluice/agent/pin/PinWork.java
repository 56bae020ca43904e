package io.sluice.agent.pin;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Carries out a plan: releases files that are not planned, opens the others, and reads them in
 * small pieces. {@link #mode} is safe for any thread; the rest is not safe for several threads.
 */
final class PinWork {
  static final long AGAIN_NANOS = TimeUnit.SECONDS.toNanos(10);

  private final Holds holds;
  private final Consumer<IndexFile> changed;
  private final Deque<Hold> unread = new ArrayDeque<>();
  private final Interval again = new Interval(AGAIN_NANOS);
  private volatile Holder holder;

  /**
   * Creates an object without a plan.
   *
   * @param changed receives files that are not as listed
   */
  PinWork(Holds holds, Holder holder, Consumer<IndexFile> changed) {
    this.holds = holds;
    this.holder = holder;
    this.changed = changed;
  }

  /** Keeps these files, in this order, and no others. */
  void keep(Collection<IndexFile> chosen) {
    Set<String> paths = new HashSet<>();
    chosen.forEach(each -> paths.add(each.path()));
    for (String each : holds.paths()) {
      if (!paths.contains(each)) {
        holds.release(each);
      }
    }
    for (IndexFile each : chosen) {
      if (holds.at(each.path()) == null) {
        open(each);
      }
    }
  }

  private void open(IndexFile file) {
    try {
      Hold hold = holds.open(holder, file);
      if (hold != null) {
        unread.add(hold);
      }
    } catch (IOException e) {
      // The file is gone or has changed: list its SSTable again.
      changed.accept(file);
    }
  }

  /** Releases files whose path leads to another file now. */
  void releaseReplaced() {
    for (String each : holds.paths()) {
      Hold hold = holds.at(each);
      if (hold != null && !hold.isCurrent()) {
        holds.release(each);
        changed.accept(hold.file());
      }
    }
  }

  /** Reads all files again from time to time, if the way to keep them requires it. */
  void repeat(long nanos) {
    if (!holder.repeats() || !again.passed(nanos)) {
      return;
    }
    unread.clear();
    for (String each : holds.paths()) {
      Hold hold = holds.at(each);
      if (hold != null) {
        unread.add(hold);
      }
    }
  }

  /**
   * Does one small piece of work. Returns whether there is more.
   *
   * @throws LockRefused if files cannot be kept in this way; all have been released
   */
  boolean proceed() throws LockRefused {
    Hold first = unread.peek();
    if (first == null) {
      return false;
    }
    try {
      if (!first.proceed()) {
        unread.remove();
      }
    } catch (LockRefused e) {
      unread.clear();
      holds.releaseAll();
      throw e;
    } catch (IOException e) {
      unread.remove();
      holds.release(first.file().path());
      changed.accept(first.file());
    }
    return !unread.isEmpty();
  }

  /** Releases all files, and keeps those of later plans in another way. */
  void holdBy(Holder other) {
    unread.clear();
    holds.releaseAll();
    holder = other;
  }

  int pageSize() {
    return holder.pageSize();
  }

  /** Returns the bytes that can be kept in addition to those kept now. */
  long room() {
    return holder.room();
  }

  /** Whether the kernel counts kept files as memory that is not available. */
  boolean locks() {
    return !holder.repeats();
  }

  /** Returns the name of the way in which files are kept. */
  String mode() {
    return holder.mode();
  }
}
