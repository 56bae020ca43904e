package io.sluice.host.memory;

import io.sluice.host.process.ProcessTable.HostProcess;
import io.sluice.host.tree.HostTree;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Reads and hashes pages of other processes. It first reads {@code pagemap}, so that it reads only
 * pages in memory and brings no others in. It then reads their contents from {@code mem}, and keeps
 * only hashes. Not safe for several threads.
 */
final class PageReader {
  /** The size of the pages that are read, in bytes. */
  static final int PAGE = 4096;

  private static final int CHUNK_PAGES = 64;
  private static final long PRESENT = 1L << 63;
  private static final long SWAPPED = 1L << 62;
  private static final long OF_FILE = 1L << 61;
  private static final long EXCLUSIVE = 1L << 56;
  private static final long HASH_FACTOR = 0x9E3779B97F4A7C15L;

  private final HostTree tree;
  private final long mostPages;
  private final ByteBuffer entries =
      ByteBuffer.allocate(CHUNK_PAGES * Long.BYTES).order(ByteOrder.nativeOrder());
  private final ByteBuffer contents =
      ByteBuffer.allocate(CHUNK_PAGES * PAGE).order(ByteOrder.nativeOrder());

  /**
   * Creates a reader of about {@code mostPages} pages of each process. Of larger processes it reads
   * chunks spread over all of their memory.
   */
  PageReader(HostTree tree, long mostPages) {
    this.tree = tree;
    this.mostPages = mostPages;
  }

  ProcessPages read(HostProcess process) throws IOException {
    String folder = "/proc/" + process.pid() + "/";
    String smaps =
        tree.read(folder + "smaps")
            .orElseThrow(() -> new IOException(process.title() + " has ended"));
    if (PageSize.in(smaps).orElse(0) != PAGE) {
      throw new IOException("cannot compare pages of another size than 4 KB");
    }
    List<Region> all = Region.parse(smaps);
    List<Region> regions = new ArrayList<>(all);
    regions.removeIf(region -> !region.isPrivateMemory() || region.residentBytes() == 0);
    Optional<HeapRange> heap =
        process.option("-Xmx").flatMap(size -> HeapRange.find(all, HeapRange.bytes(size)));
    long resident = regions.stream().mapToLong(Region::residentBytes).sum() / PAGE;
    Counts counts = new Counts(heap);
    boolean whole = resident <= mostPages;
    long share = whole ? -1L : 2 * (long) (((double) mostPages / resident) * 0x1p63);
    try (HostTree.Bytes pagemap = tree.open(folder + "pagemap");
        HostTree.Bytes memory = tree.open(folder + "mem")) {
      for (Region region : regions) {
        long step = (long) CHUNK_PAGES * PAGE;
        for (long from = region.start(); from < region.end(); from += step) {
          // A share of all chunks, chosen by a hash of the address: spread, and the same in each
          // run.
          if (Long.compareUnsigned(from / step * HASH_FACTOR, share) <= 0) {
            chunk(pagemap, memory, from, Math.min(from + step, region.end()), counts);
          }
        }
      }
    }
    return counts.of(process.title(), whole, resident);
  }

  private void chunk(
      HostTree.Bytes pagemap, HostTree.Bytes memory, long from, long to, Counts counts)
      throws IOException {
    int pages = (int) ((to - from) / PAGE);
    entries.clear().limit(pages * Long.BYTES);
    if (pagemap.read(entries, from / PAGE * Long.BYTES) < pages * Long.BYTES) {
      return;
    }
    for (int page = 0; page < pages; page++) {
      int run = page;
      while (run < pages && isOwn(entries.getLong(run * Long.BYTES))) {
        run++;
      }
      if (run > page) {
        contents.clear().limit((run - page) * PAGE);
        int read = readMemory(memory, from + (long) page * PAGE) / PAGE;
        for (int i = 0; i < read; i++) {
          long address = from + (long) (page + i) * PAGE;
          counts.add(address, entries.getLong((page + i) * Long.BYTES), contents, i * PAGE);
        }
        page = run;
      }
    }
  }

  /** Reads memory. Ranges that are unmapped meanwhile or may not be read count as missing. */
  private int readMemory(HostTree.Bytes memory, long address) {
    try {
      return memory.read(contents, address);
    } catch (IOException e) {
      return contents.position();
    }
  }

  private static boolean isOwn(long entry) {
    return (entry & PRESENT) != 0 && (entry & (SWAPPED | OF_FILE)) == 0;
  }

  /** The counts so far. */
  private static final class Counts {
    private final Optional<HeapRange> heap;
    private final PageHashes hashes = new PageHashes();
    private long read;
    private long zero;
    private long zeroHeap;
    private long shared;

    Counts(Optional<HeapRange> heap) {
      this.heap = heap;
    }

    void add(long address, long entry, ByteBuffer contents, int from) {
      if ((entry & EXCLUSIVE) == 0) {
        shared++;
        return;
      }
      read++;
      long hash = PageHashes.of(contents, from, PAGE);
      if (hash != 0) {
        hashes.add(hash);
        return;
      }
      zero++;
      if (heap.filter(range -> range.has(address)).isPresent()) {
        zeroHeap++;
      }
    }

    ProcessPages of(String title, boolean whole, long resident) {
      return new ProcessPages(title, whole, resident, read, zero, zeroHeap, shared, hashes);
    }
  }
}
