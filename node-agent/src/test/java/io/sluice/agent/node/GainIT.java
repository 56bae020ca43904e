package io.sluice.agent.node;

import io.sluice.cluster.ClusterSpec;
import io.sluice.rawcql.RawCql;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * A measurement for a quiet machine: an unmodified node and one with the agent, in turn, with rows
 * as in the demo. Both run all the time, so machine and compilers affect both equally. Prints the
 * mean time of each kind of read, and the median of the pairs' ratios.
 *
 * <p>{@code mvn -pl node-agent -am verify -Dsluice.gain=true -Dit.test=GainIT -Dtest=None
 * -Dsurefire.failIfNoSpecifiedTests=false -Dfailsafe.failIfNoSpecifiedTests=false}; {@code
 * -Dsluice.gain.pairs=7} and {@code -Dsluice.gain.seconds=12} set the amount.
 */
@EnabledIfSystemProperty(named = "sluice.gain", matches = "true")
class GainIT {
  private static final int PAIRS = Integer.getInteger("sluice.gain.pairs", 7);
  private static final int SECONDS = Integer.getInteger("sluice.gain.seconds", 12);
  private static final int WARM_UP_PAIRS = 3;

  /**
   * The pause of a point client after each answer. Without it, point reads that are eight times
   * faster come eight times as often. They then take processor time from range reads, because
   * clients and nodes share the cores.
   */
  private static final int PAUSE_MILLIS = Integer.getInteger("sluice.gain.pauseMillis", 20);

  private static final int ROWS = 20_000;
  private static final int ROW_BYTES = 1_000;
  private static final int MAX_ROWS = 2_000;

  /** The most rows of a narrow range read. */
  private static final int NARROW_ROWS = 500;

  private static final List<String> POINTS = drawn(20, GainIT::point);
  private static final List<String> RANGES = drawn(40, GainIT::range);

  private static List<String> drawn(int count, IntFunction<String> statement) {
    return IntStream.range(0, count).mapToObj(statement).toList();
  }

  private static String point(int number) {
    return "SELECT * FROM gain.t WHERE k = " + number * (ROWS / 20);
  }

  /**
   * Returns a range read from a random token on. Each tenth of {@link #MAX_ROWS} is equally
   * frequent.
   */
  private static String range(int number) {
    long token = Long.MIN_VALUE + (Long.MAX_VALUE / 50) * number;
    return "SELECT * FROM gain.t WHERE token(k) >= " + token + " LIMIT " + limit(number);
  }

  private static int limit(int number) {
    return MAX_ROWS / 10 * (1 + number % 10);
  }

  private static void fill(AgentNode node) throws IOException {
    try (RawCql cql = node.connect()) {
      cql.query("CREATE KEYSPACE gain WITH replication = " + node.replication(), AgentNode.ONE);
      cql.query("CREATE TABLE gain.t (k int PRIMARY KEY, v text)", AgentNode.ONE);
      String value = "x".repeat(ROW_BYTES);
      for (int k = 0; k < ROWS; k++) {
        cql.query("INSERT INTO gain.t (k, v) VALUES (" + k + ", '" + value + "')", AgentNode.ONE);
      }
    }
    node.flush("gain");
  }

  @Test
  void point_and_range_reads_together() throws Exception {
    compare(new Mix(8, PAUSE_MILLIS, 16));
  }

  @Test
  void point_reads_alone() throws Exception {
    compare(new Mix(32, 0, 0));
  }

  private record Mix(int pointClients, int pauseMillis, int rangeClients) {}

  private static void compare(Mix mix) throws Exception {
    Map<String, List<Double>> ratios = new LinkedHashMap<>();
    try (AgentNode stock = AgentNode.start(spec -> spec);
        AgentNode agent = AgentNode.withAgent("", GainIT::beside)) {
      fill(stock);
      fill(agent);
      for (int pair = 1 - WARM_UP_PAIRS; pair <= PAIRS; pair++) {
        boolean stockFirst = pair % 2 == 0;
        Map<String, Load.Seen> first = reads(stockFirst ? stock : agent, mix);
        Map<String, Load.Seen> second = reads(stockFirst ? agent : stock, mix);
        if (pair > 0) {
          compare(mix, pair, stockFirst ? first : second, stockFirst ? second : first, ratios);
        }
      }
    }
    ratios.forEach(
        (each, all) ->
            System.out.printf(
                "%s, median of %d ratios, %-6s %.3f%n",
                mix, PAIRS, each, all.stream().sorted().skip(PAIRS / 2).findFirst().orElseThrow()));
  }

  private static ClusterSpec beside(ClusterSpec spec) {
    return spec.withDir(spec.dir().resolveSibling("agent-cluster-beside"))
        .withPorts(spec.ports().cql() + 1, spec.ports().storage() + 1);
  }

  private static void compare(
      Mix mix,
      int pair,
      Map<String, Load.Seen> stock,
      Map<String, Load.Seen> agent,
      Map<String, List<Double>> ratios) {
    for (String each : stock.keySet()) {
      double ratio = agent.get(each).meanMillis() / stock.get(each).meanMillis();
      ratios.computeIfAbsent(each, k -> new ArrayList<>()).add(ratio);
      System.out.printf(
          "%s, pair %d, %-6s stock %s, agent %s, ratio %.3f%n",
          mix, pair, each, said(stock.get(each)), said(agent.get(each)), ratio);
    }
  }

  private static String said(Load.Seen seen) {
    return "%8.2f ms (%d reads, at most %d ms)"
        .formatted(seen.meanMillis(), seen.reads().size(), seen.maxMillis());
  }

  private static Map<String, Load.Seen> reads(AgentNode node, Mix mix) throws Exception {
    try (Load load = new Load(node)) {
      List<Future<Load.Seen>> points = load.clients(mix.pointClients(), POINTS, mix.pauseMillis());
      List<Future<Load.Seen>> ranges = load.clients(mix.rangeClients(), RANGES, 0);
      load.runFor(SECONDS * 1000L);
      load.end();
      Map<String, Load.Seen> seen = new LinkedHashMap<>();
      seen.put("point", Load.seenBy(points));
      if (mix.rangeClients() > 0) {
        Load.Seen range = Load.seenBy(ranges);
        seen.put("narrow", range.of(statement -> limit(statement) <= NARROW_ROWS));
        seen.put("range", range);
      }
      return seen;
    }
  }
}
