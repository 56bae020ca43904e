package io.sluice.agent.queue;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Replaces the queue of one of Cassandra's stages, and orders it. Safe for any thread.
 *
 * <p>The stage's workers run {@code poll().run()} without a check when they hold a permit. A permit
 * is given after {@code add} has returned. Therefore {@code add} makes the task visible before it
 * returns, and {@code poll} returns a task as long as an added one is not yet taken. Each task is
 * returned once, as the same object. Adding never blocks: tasks enter through a lock-free intake,
 * and the threads that take tasks sort them by priority. {@code peek} returns the task that has
 * waited longest, because the stage uses it to measure its age.
 */
public final class ReadQueue extends SnapshotQueue {
  private static final long serialVersionUID = 1L;

  private final transient TaskClassifier classifier;
  private final transient LongSupplier nanoClock;
  private final transient Consumer<@Nullable Throwable> onDoubt;
  private final transient AtomicReference<@Nullable Ticket> intake = new AtomicReference<>();
  private final transient ReentrantLock lock = new ReentrantLock();

  @GuardedBy("lock")
  private final transient StageOrder order = new StageOrder();

  private transient volatile @Nullable Object lastSeenOldest;
  private transient volatile @Nullable Throwable firstFault;
  private transient volatile boolean enabled = true;
  private transient volatile long ageLimitNanos;

  /**
   * Creates a queue.
   *
   * @param ageLimitNanos time after which a range read may pass point reads, at least 0; a tenth of
   *     it for remote point reads
   * @param nanoClock such as {@link System#nanoTime}
   * @param onDoubt called by a thread that takes a task, when the queue has stopped ordering
   *     because the classifier knew less than half of {@link StageCounts#WINDOW} tasks; gets the
   *     first exception of the classifier, or null
   */
  public ReadQueue(
      TaskClassifier classifier,
      long ageLimitNanos,
      LongSupplier nanoClock,
      Consumer<@Nullable Throwable> onDoubt) {
    this.classifier = classifier;
    this.nanoClock = nanoClock;
    this.onDoubt = onDoubt;
    this.ageLimitNanos = ageLimitNanos;
  }

  /** Whether tasks are ordered; otherwise the queue is first in, first out. */
  public boolean isEnabled() {
    return enabled;
  }

  /** Starts or stops ordering with the next task taken. Queued tasks stay queued. */
  public void setEnabled(boolean value) {
    enabled = value;
  }

  /** Returns the time after which a range read may pass point reads. */
  public long ageLimitNanos() {
    return ageLimitNanos;
  }

  /** Sets the age limit, also for tasks already queued. */
  public void setAgeLimitNanos(long value) {
    ageLimitNanos = value;
  }

  /** Returns the current figures. */
  public QueueReport report() {
    lock.lock();
    try {
      sortIn();
      return new QueueReport(order);
    } finally {
      lock.unlock();
    }
  }

  @Override
  public boolean offer(Object task) {
    Objects.requireNonNull(task);
    boolean ask = enabled;
    Ticket ticket = new Ticket(task, ask ? classify(task) : null, ask, nanoClock.getAsLong());
    Ticket top;
    do {
      top = intake.get();
      ticket.below = top;
    } while (!intake.compareAndSet(top, ticket));
    return true;
  }

  @Override
  public @Nullable Object poll() {
    Ticket taken;
    boolean doubtful;
    lock.lock();
    try {
      sortIn();
      doubtful = order.counts().becameDoubtful();
      if (doubtful) {
        enabled = false;
      }
      taken = enabled ? order.take(nanoClock.getAsLong(), ageLimitNanos) : order.takeOldest();
      rememberOldest();
    } finally {
      lock.unlock();
    }
    if (doubtful) {
      onDoubt.accept(firstFault);
    }
    return taken == null ? null : taken.task;
  }

  /**
   * Returns the task that has waited longest. While another thread takes a task, it returns the
   * oldest task before that.
   */
  @Override
  public @Nullable Object peek() {
    if (!lock.tryLock()) {
      return lastSeenOldest;
    }
    try {
      sortIn();
      rememberOldest();
      return lastSeenOldest;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public int size() {
    lock.lock();
    try {
      sortIn();
      return order.size();
    } finally {
      lock.unlock();
    }
  }

  private @Nullable TaskClass classify(Object task) {
    try {
      return classifier.classify(task);
    } catch (Throwable e) {
      // Unknown tasks are treated as point reads, and counted.
      if (firstFault == null) {
        firstFault = e;
      }
      return null;
    }
  }

  /**
   * Takes the tasks from the intake, where the newest is on top, and adds them in the order of
   * their arrival.
   */
  @GuardedBy("lock")
  private void sortIn() {
    Ticket newest = intake.get() == null ? null : intake.getAndSet(null);
    Ticket oldest = null;
    while (newest != null) {
      Ticket below = newest.below;
      newest.below = null;
      newest.younger = oldest;
      oldest = newest;
      newest = below;
    }
    while (oldest != null) {
      Ticket next = oldest.younger;
      oldest.younger = null;
      order.add(oldest);
      oldest = next;
    }
  }

  @GuardedBy("lock")
  private void rememberOldest() {
    Ticket oldest = order.oldest();
    lastSeenOldest = oldest == null ? null : oldest.task;
  }

  @Override
  List<Object> waiting() {
    lock.lock();
    try {
      sortIn();
      List<Object> tasks = new ArrayList<>(order.size());
      order.all().forEach(ticket -> tasks.add(ticket.task));
      return tasks;
    } finally {
      lock.unlock();
    }
  }

  @Override
  boolean take(Predicate<? super Object> condition, int most) {
    lock.lock();
    try {
      sortIn();
      int taken = 0;
      for (Ticket each : order.all()) {
        if (taken < most && condition.test(each.task)) {
          order.remove(each);
          taken++;
        }
      }
      rememberOldest();
      return taken > 0;
    } finally {
      lock.unlock();
    }
  }
}
