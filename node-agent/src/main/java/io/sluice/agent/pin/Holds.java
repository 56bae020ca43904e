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
 * The files that are kept in memory. The thread that deletes a file releases it, even while the
 * thread of {@code pin} works. Safe for any thread.
 */
final class Holds {
  private final Map<String, Hold> byPath = new ConcurrentHashMap<>();

  /**
   * Prefixes of SSTables that are being deleted. Files of these are released even if they are
   * opened later.
   */
  private final Set<String> deleted = ConcurrentHashMap.newKeySet();

  private volatile boolean closed;

  /**
   * Creates a hold for a file. Returns null if its SSTable is being deleted, or {@link #closeAll}
   * was called.
   */
  @Nullable Hold open(Holder holder, IndexFile file) throws IOException {
    Hold hold = holder.hold(file);
    byPath.put(file.path(), hold);
    // After the entry in the map: the deleting thread adds the prefix before it looks in the map.
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

  /** Releases the files of an SSTable that is about to be deleted. */
  void deleting(String prefix) {
    deleted.add(prefix);
    for (String each : IndexFile.INDEXES) {
      release(prefix + each);
    }
    for (String each : IndexFile.COPIED) {
      release(prefix + each);
    }
  }

  /** Returns the prefixes of deleted SSTables so far, for {@link #forget}. */
  Set<String> deleted() {
    return new HashSet<>(deleted);
  }

  /** Forgets deleted SSTables that are not listed any more, and so cannot be opened again. */
  void forget(Collection<String> prefixes) {
    deleted.removeAll(prefixes);
  }

  /** Releases a file, if it is kept. */
  void release(String path) {
    Hold hold = byPath.remove(path);
    if (hold != null) {
      hold.close();
    }
  }

  /** Releases all files, and all that are opened later. */
  void closeAll() {
    closed = true;
    releaseAll();
  }

  /** Releases all files. */
  void releaseAll() {
    new HashSet<>(byPath.keySet()).forEach(this::release);
  }

  /** Returns the paths of all kept files. */
  Set<String> paths() {
    return new HashSet<>(byPath.keySet());
  }

  @Nullable Hold at(String path) {
    return byPath.get(path);
  }

  /** Returns the bytes kept in memory so far. */
  long heldBytes() {
    long sum = 0;
    for (Hold each : byPath.values()) {
      sum += each.heldBytes();
    }
    return sum;
  }

  /** Returns the bytes kept in memory by table, in the order of names. */
  Map<String, Long> heldBytesByTable() {
    Map<String, Long> sums = new TreeMap<>();
    for (Hold each : byPath.values()) {
      sums.merge(each.file().table(), each.heldBytes(), Long::sum);
    }
    return sums;
  }

  /** Returns the bytes of all kept files that are in memory now; -1 if unknown. */
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

  /** Returns the number of kept files. */
  int size() {
    return byPath.size();
  }
}
