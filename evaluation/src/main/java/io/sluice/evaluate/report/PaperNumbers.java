package io.sluice.evaluate.report;

import java.util.List;

/** The figures that the scheduling paper (Fukuda et al., 2014) gives for its own cluster. */
final class PaperNumbers {
  /**
   * One of its results.
   *
   * @param what in words
   * @param target the variant
   * @param baseline what it was compared with
   * @param requests the class of reads
   * @param ratio mean time over the baseline's
   */
  record Claim(String what, String target, String baseline, String requests, double ratio) {}

  static final List<Claim> CLAIMS =
      List.of(
          new Claim("all three, single reads: up to 80 % less", "A", "O", "single", 0.20),
          new Claim("all three, range reads: up to 20 % less", "A", "O", "range", 0.80),
          new Claim(
              "parallel pieces alone, single reads: 2.4 times as much", "P", "O", "single", 2.4));

  static final String DIFFERENCES =
      "The paper changed Cassandra itself, on 12 machines, with 125 to 1,000 clients and a byte-ordered partitioner with 1,000 tables. Here a"
          + " proxy stands before an unmodified Cassandra; the machine, the version, the number of"
          + " nodes and the size of the data are those named under “Settings”, the data is"
          + " read from the page cache, and nodes, proxies and clients may share their cores. Stock"
          + " Cassandra of today already reads the pieces of a range in parallel waves.";

  private PaperNumbers() {}
}
