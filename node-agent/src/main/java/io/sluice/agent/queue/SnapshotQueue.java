package io.sluice.agent.queue;

import java.util.Collection;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The collection methods of a queue whose tasks are not in the nodes of {@link
 * ConcurrentLinkedQueue}. Reading methods see the tasks queued at the call, oldest first, and no
 * later changes. Safe for any thread.
 */
abstract class SnapshotQueue extends ConcurrentLinkedQueue<Object> {
  private static final long serialVersionUID = 1L;

  /** Returns a list of the tasks queued now, oldest first. */
  abstract List<Object> waiting();

  /**
   * Removes the oldest tasks that meet a condition. Returns whether there were any.
   *
   * @param most most tasks to remove
   */
  abstract boolean take(Predicate<? super Object> condition, int most);

  @Override
  public abstract int size();

  @Override
  public abstract boolean offer(Object task);

  @Override
  public abstract @Nullable Object poll();

  @Override
  public abstract @Nullable Object peek();

  @Override
  public boolean add(Object task) {
    return offer(task);
  }

  @Override
  public boolean addAll(Collection<? extends Object> tasks) {
    tasks.forEach(this::offer);
    return !tasks.isEmpty();
  }

  @Override
  public boolean isEmpty() {
    return size() == 0;
  }

  @Override
  public boolean contains(@Nullable Object task) {
    return waiting().contains(task);
  }

  @Override
  public boolean remove(@Nullable Object task) {
    return take(each -> each.equals(task), 1);
  }

  @Override
  public boolean removeIf(Predicate<? super Object> condition) {
    return take(condition, Integer.MAX_VALUE);
  }

  @Override
  public boolean removeAll(Collection<?> tasks) {
    return removeIf(tasks::contains);
  }

  @Override
  public boolean retainAll(Collection<?> tasks) {
    return removeIf(each -> !tasks.contains(each));
  }

  @Override
  public void clear() {
    removeIf(each -> true);
  }

  @Override
  public Iterator<Object> iterator() {
    return Collections.unmodifiableList(waiting()).iterator();
  }

  @Override
  public Spliterator<Object> spliterator() {
    return Spliterators.spliterator(
        waiting(), Spliterator.ORDERED | Spliterator.NONNULL | Spliterator.IMMUTABLE);
  }

  @Override
  public void forEach(Consumer<? super Object> action) {
    waiting().forEach(action);
  }

  @Override
  public Object[] toArray() {
    return waiting().toArray();
  }

  @Override
  public <T> T[] toArray(T[] target) {
    return waiting().toArray(target);
  }

  @Override
  public String toString() {
    return waiting().toString();
  }
}
