package io.sluice.agent.pin;

import java.io.IOException;
import java.util.Collection;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The files that are held. A file that is about to be deleted is let go by the thread that deletes
 * it, whatever the thread that holds files does meanwhile. Safe for any thread.
 */
final class Holds {
  private final Map<String, Hold> byPath = new ConcurrentHashMap<>();

  /** Prefixes of SSTables that are being deleted: what is held of them later is let go again. */
  private final Set<String> deleted = ConcurrentHashMap.newKeySet();

  private volatile boolean closed;

  /**
   * Begins to hold a file; null if its SSTable is being deleted, or {@link #closeAll} has been
   * called.
   */
  @Nullable Hold open(Holder holder, IndexFile file) throws IOException {
    Hold hold = holder.hold(file);
    byPath.put(file.path(), hold);
    // After the file stands in the map: who deletes it looks there after saying so.
    if (closed || isDeleted(file)) {
      release(file.path());
      return null;
    }
    return hold;
  }

  private boolean isDeleted(IndexFile file) {
    return deleted.contains(prefix(file.path()));
  }

  private static String prefix(String path) {
    return path.substring(0, path.lastIndexOf('-') + 1);
  }

  /** An SSTable is about to be deleted. */
  void deleting(String prefix) {
    deleted.add(prefix);
    for (String each : IndexFile.INDEXES) {
      release(prefix + each);
    }
    for (String each : IndexFile.COPIED) {
      release(prefix + each);
    }
  }

  /** Prefixes that were said to be deleted so far, for {@link #forget}. */
  Set<String> deleted() {
    return new HashSet<>(deleted);
  }

  /** These SSTables are on no list any more, so that they cannot be held again. */
  void forget(Collection<String> prefixes) {
    deleted.removeAll(prefixes);
  }

  /** Lets go of one file, if it is held. */
  void release(String path) {
    Hold hold = byPath.remove(path);
    if (hold != null) {
      hold.close();
    }
  }

  /** Lets go of all, and of whatever is opened later. */
  void closeAll() {
    closed = true;
    releaseAll();
  }

  /** Lets go of all. */
  void releaseAll() {
    new HashSet<>(byPath.keySet()).forEach(this::release);
  }

  /** Paths of all that is held. */
  Set<String> paths() {
    return new HashSet<>(byPath.keySet());
  }

  @Nullable Hold at(String path) {
    return byPath.get(path);
  }

  /** Bytes of memory that are held by now. */
  long heldBytes() {
    long sum = 0;
    for (Hold each : byPath.values()) {
      sum += each.heldBytes();
    }
    return sum;
  }

  /** The same by table, in the order of names. */
  Map<String, Long> heldBytesByTable() {
    Map<String, Long> sums = new TreeMap<>();
    for (Hold each : byPath.values()) {
      sums.merge(each.file().table(), each.heldBytes(), Long::sum);
    }
    return sums;
  }

  /** Bytes of all held files that are in memory now; -1 where that cannot be known. */
  long residentBytes() throws IOException {
    long sum = 0;
    for (Hold each : byPath.values()) {
      long resident = each.residentBytes();
      if (resident < 0) {
        return -1;
      }
      sum += resident;
    }
    return sum;
  }

  /** How many files are held. */
  int size() {
    return byPath.size();
  }
}
