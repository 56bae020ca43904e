package io.sluice.host.memory;

/**
 * The pages of a process's own memory, all of them or a sample.
 *
 * @param title of the process
 * @param whole whether all were read
 * @param residentPages of its own memory
 * @param readPages those that were read and have memory of their own
 * @param zeroPages of the read ones, full of zeros and with memory of their own
 * @param zeroHeapPages those of the zero ones that lie in the Java heap
 * @param sharedPages those that were found without memory of their own: merged already, or the
 *     kernel's one page of zeros
 * @param hashes of those with memory of their own that are not zero
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

  /** A number of read pages, for all of the process. */
  long ofAll(long pages) {
    long seen = readPages + sharedPages;
    return whole || seen == 0 ? pages : Math.round((double) pages * residentPages / seen);
  }
}
