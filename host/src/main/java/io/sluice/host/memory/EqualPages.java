package io.sluice.host.memory;

import java.util.Arrays;
import java.util.List;

/**
 * The numbers of pages that merging would save, if each content were kept once.
 *
 * @param within duplicates of a page within a process
 * @param across pages that are the first of their content in a process, but not in all processes
 */
record EqualPages(long within, long across) {
  /** The low bits of a hash are replaced by the number of its process. */
  private static final int PROCESS_BITS = 10;

  private static final long PROCESS_MASK = (1L << PROCESS_BITS) - 1;

  static EqualPages of(List<PageHashes> processes) {
    if (processes.size() > PROCESS_MASK) {
      throw new IllegalArgumentException("too many processes to compare: " + processes.size());
    }
    long[] all = new long[processes.stream().mapToInt(PageHashes::size).sum()];
    int next = 0;
    for (int process = 0; process < processes.size(); process++) {
      PageHashes hashes = processes.get(process);
      for (int i = 0; i < hashes.size(); i++) {
        all[next++] = (hashes.get(i) & ~PROCESS_MASK) | process;
      }
    }
    Arrays.sort(all);
    long within = 0;
    long across = 0;
    for (int i = 1; i < all.length; i++) {
      if (all[i] == all[i - 1]) {
        within++;
      } else if (((all[i] ^ all[i - 1]) & ~PROCESS_MASK) == 0) {
        across++;
      }
    }
    return new EqualPages(within, across);
  }
}
