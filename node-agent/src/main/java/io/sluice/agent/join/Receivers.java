package io.sluice.agent.join;

import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The deferred syncs of each stream receiver. A stream may end without a commit or an abort. Its
 * receiver is then garbage-collected, and {@link #dropCollected} closes the files. Safe for any
 * thread.
 */
final class Receivers {
  /** A weak reference to a receiver, equal by the receiver's identity. */
  private static final class Key extends WeakReference<Object> {
    private final int hash;

    Key(Object receiver, @Nullable ReferenceQueue<Object> queue) {
      super(receiver, queue);
      this.hash = System.identityHashCode(receiver);
    }

    @Override
    public int hashCode() {
      return hash;
    }

    @Override
    public boolean equals(@Nullable Object other) {
      if (this == other) {
        return true;
      }
      Object receiver = get();
      return receiver != null && other instanceof Key && ((Key) other).get() == receiver;
    }
  }

  private final Map<Key, WaitingSyncs> waiting = new ConcurrentHashMap<>();
  private final ReferenceQueue<Object> collected = new ReferenceQueue<>();

  /** Adds a receiver whose stream begins. */
  void add(Object receiver, Supplier<WaitingSyncs> syncs) {
    dropCollected();
    waiting.put(new Key(receiver, collected), syncs.get());
  }

  /** Returns the deferred syncs of a receiver; null if it was not added or has been removed. */
  @Nullable WaitingSyncs of(Object receiver) {
    return waiting.get(new Key(receiver, null));
  }

  @Nullable WaitingSyncs remove(Object receiver) {
    return waiting.remove(new Key(receiver, null));
  }

  /**
   * Closes the files of receivers that were garbage-collected. Until then files that Cassandra has
   * deleted keep their disk space. Costs little if there are none.
   */
  void dropCollected() {
    for (Reference<?> each = collected.poll(); each != null; each = collected.poll()) {
      WaitingSyncs lost = waiting.remove(each);
      if (lost != null) {
        lost.drop();
      }
    }
  }

  /** Returns the number of files whose sync is deferred. */
  int files() {
    dropCollected();
    int sum = 0;
    for (WaitingSyncs each : waiting.values()) {
      sum += each.size();
    }
    return sum;
  }
}
