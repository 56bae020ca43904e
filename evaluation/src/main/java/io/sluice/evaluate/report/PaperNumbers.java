package io.sluice.evaluate.report;

import java.util.List;

/** The results that the scheduling paper (Fukuda et al., 2014) reports for its own cluster. */
final class PaperNumbers {
  /**
   * A result of the paper.
   *
   * @param what the result in words
   * @param target the variant
   * @param baseline the variant that it is compared with
   * @param requests the class of reads
   * @param ratio mean time divided by that of the baseline
   */
  record Claim(String what, String target, String baseline, String requests, double ratio) {}

  static final List<Claim> CLAIMS =
      List.of(
          new Claim("all three, single reads: up to 80 % less", "A", "O", "single", 0.20),
          new Claim("all three, range reads: up to 20 % less", "A", "O", "range", 0.80),
          new Claim(
              "parallel pieces alone, single reads: 2.4 times as much", "P", "O", "single", 2.4));

  static final String DIFFERENCES =
      "The paper changed Cassandra itself, on 12 machines, with 125 to 1,000 clients and a"
          + " byte-ordered partitioner with 1,000 tables. Here, a"
          + " proxy is in front of an unmodified Cassandra. The machine, the version, the number of"
          + " nodes and the size of the data are listed under “Settings”. The data is"
          + " read from the page cache, and nodes, proxies and clients may share their cores. Stock"
          + " Cassandra now reads the pieces of a range in parallel waves, too.";

  private PaperNumbers() {}
}
