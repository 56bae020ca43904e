package io.sluice.evaluate.report;

import io.sluice.evaluate.figures.Figure;
import io.sluice.evaluate.figures.Measures;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A study of Cassandra on its host.
 *
 * @param kind kind of its runs
 * @param baseline the variant that others are compared with
 * @param earlierResults earlier results, in sentences
 * @param questions the numbers that are compared between variants, by name
 * @param charts the numbers that get a chart
 */
record Study(
    String kind,
    String baseline,
    String earlierResults,
    Map<String, Question> questions,
    List<String> charts) {
  /** Index files in memory. */
  static final Study CACHE =
      new Study(
          "cache",
          "stock",
          "The study (ActCache) found that data files push index files out of the page cache while a"
              + " node joins, and that a join is shorter with the index files held there. An experiment"
              + " before this command existed: point reads beside scans took 39 to 45 % less time on"
              + " a disk with seeks, and 20 % less on flash.",
          Map.of(
              Measures.name("single", Figure.MEAN), new Question("point reads take", false),
              Measures.name("single", Figure.P99), new Question("point reads' p99 is", false),
              Measures.name("scan", Figure.MEAN), new Question("a scan of the table takes", false)),
          List.of(
              Measures.name("single", Figure.MEAN),
              Measures.name("single", Figure.P99),
              Measures.name("scan", Figure.MEAN)));

  /** Nodes that join. */
  static final Study JOIN =
      new Study(
          "join",
          "stock",
          "The study (three nodes and one that joins, 17 GB, three copies, disks with seeks) found that"
              + " a join is bound by the new node's disk writes, and those by syncs, one for each file,"
              + " and by seeks. Deadline in place of CFQ, longer write-back and no syncs at all took 5,"
              + " 10 and up to 19 % off, near the disk's sequential speed, at the price of durability:"
              + " a sync afterwards took back much of it.",
          Map.of(
              "start to NORMAL",
              new Question("start to NORMAL takes", false),
              "bootstrap to NORMAL",
              new Question("bootstrap to NORMAL takes", false),
              Measures.name("single", Figure.MEAN),
              new Question("reads during the join take", false),
              Measures.name("single", Figure.P99),
              new Question("the p99 of reads is", false)),
          List.of(
              "start to NORMAL",
              "bootstrap to NORMAL",
              "bootstrap to NORMAL, times the sequential write",
              Measures.name("single", Figure.P99)));

  /** Nodes that share a host. */
  static final Study COLOCATION =
      new Study(
          "colocation",
          "off",
          "The study (six virtual machines with Cassandra on two hosts) found that merging equal pages"
              + " gave throughput back that co-located nodes had lost, and that the interval between"
              + " scans mattered. An experiment before this command existed, three nodes on one"
              + " host: 738 MB were merged with the kernel's advisor at 19 to 39 % of a core; 704 of"
              + " them were pages of zeros, and 27 to 29 MB others at any interval.",
          Map.of(
              "reads and writes",
              new Question("the throughput is", true),
              Measures.name("single", Figure.P99),
              new Question("the p99 of reads is", false)),
          List.of("reads and writes", "saved by merging", "ksmd under the load"));

  /** Copies the collections. */
  Study {
    questions = Map.copyOf(questions);
    charts = List.copyOf(charts);
  }

  /**
   * A number that is compared between variants.
   *
   * @param words the beginning of its sentence
   * @param moreIsBetter whether a larger number is better
   */
  record Question(String words, boolean moreIsBetter) {}

  /** Returns the study of a kind of run; empty for evaluations of the proxy. */
  static Optional<Study> of(String kind) {
    return Stream.of(CACHE, JOIN, COLOCATION).filter(study -> study.kind.equals(kind)).findFirst();
  }

  /** Returns the question on a number; empty if the number is only shown. */
  Optional<Question> question(String name) {
    return Optional.ofNullable(questions.get(name));
  }
}
