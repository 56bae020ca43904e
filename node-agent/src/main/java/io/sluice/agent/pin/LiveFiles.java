package io.sluice.agent.pin;

import java.io.File;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The index files of live SSTables. {@link #changed} is safe for any thread; the rest is not safe
 * for several threads.
 */
final class LiveFiles {
  private final SSTableLists lists;
  private final PinSettings settings;
  private final Set<Object> changed = ConcurrentHashMap.newKeySet();

  /** Files by tracker, then by prefix. The entry of a garbage-collected tracker disappears. */
  private final Map<Object, Map<String, List<IndexFile>>> known = new WeakHashMap<>();

  LiveFiles(SSTableLists lists, PinSettings settings) {
    this.lists = lists;
    this.settings = settings;
  }

  /** Notes that the SSTables of a tracker have changed. Does not block. */
  void changed(Object tracker) {
    changed.add(tracker);
  }

  /** Reads the SSTables of changed tables. Returns whether there were any. */
  boolean refresh() throws ReflectiveOperationException {
    boolean any = false;
    for (Object each : new ArrayList<>(changed)) {
      // Remove first: a change after this adds the tracker again.
      changed.remove(each);
      SSTableListing listing = lists.of(each);
      if (listing != null && settings.isFor(listing.keyspace(), listing.table())) {
        read(each, listing);
        any = true;
      }
    }
    return any;
  }

  private void read(Object tracker, SSTableListing listing) {
    Map<String, List<IndexFile>> before = known.getOrDefault(tracker, new HashMap<>());
    Map<String, List<IndexFile>> now = new HashMap<>();
    String table = listing.keyspace() + "." + listing.table();
    for (String prefix : listing.prefixes()) {
      List<IndexFile> files = before.get(prefix);
      now.put(prefix, files == null ? filesOf(table, prefix) : files);
    }
    if (now.isEmpty()) {
      known.remove(tracker);
    } else {
      known.put(tracker, now);
    }
  }

  private static List<IndexFile> filesOf(String table, String prefix) {
    List<IndexFile> files = new ArrayList<>();
    add(files, table, prefix, IndexFile.INDEXES, false);
    add(files, table, prefix, IndexFile.COPIED, true);
    return files;
  }

  private static void add(
      List<IndexFile> files, String table, String prefix, String[] endings, boolean copied) {
    for (String each : endings) {
      long bytes = new File(prefix + each).length();
      if (bytes > 0) {
        files.add(new IndexFile(table, prefix + each, bytes, copied));
      }
    }
  }

  /** Lists the SSTable of a file again, if it still exists, because the file is not as listed. */
  void distrust(IndexFile file) {
    known.forEach(
        (tracker, byPrefix) -> {
          if (byPrefix.values().removeIf(files -> files.contains(file))) {
            changed.add(tracker);
          }
        });
  }

  /** Returns all files. */
  Collection<IndexFile> all() {
    List<IndexFile> all = new ArrayList<>();
    known.values().forEach(byPrefix -> byPrefix.values().forEach(all::addAll));
    return all;
  }

  /** Returns the tables that have files. */
  Set<String> tables() {
    Set<String> tables = new HashSet<>();
    all().forEach(each -> tables.add(each.table()));
    return tables;
  }

  @Override
  public String toString() {
    return known.values().toString();
  }
}
