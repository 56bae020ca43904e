package io.sluice.host.memory;

/**
 * The pages of a process's private memory, all of them or a sample.
 *
 * @param title name of the process
 * @param whole whether all pages were read
 * @param residentPages resident pages of its private memory
 * @param readPages read pages that use memory of their own
 * @param zeroPages read pages full of zeros
 * @param zeroHeapPages pages of {@code zeroPages} in the Java heap
 * @param sharedPages pages found without memory of their own: merged, or the kernel's zero page
 * @param hashes hashes of the read pages that are not zero
 */
record ProcessPages(
    String title,
    boolean whole,
    long residentPages,
    long readPages,
    long zeroPages,
    long zeroHeapPages,
    long sharedPages,
    PageHashes hashes) {

  /** Extrapolates a number of read pages to the whole process. */
  long ofAll(long pages) {
    long seen = readPages + sharedPages;
    return whole || seen == 0 ? pages : Math.round((double) pages * residentPages / seen);
  }
}
