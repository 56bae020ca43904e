package io.sluice.agent.node;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * Measures, for a quiet machine: an unmodified node against one with the agent, in pairs, each node
 * freshly started. Prints the mean time of each kind of read, and the median of the pairs' ratios.
 *
 * <p>{@code mvn -pl node-agent -am verify -Dsluice.gain=true -Dit.test=GainIT -Dtest=None
 * -Dsurefire.failIfNoSpecifiedTests=false -Dfailsafe.failIfNoSpecifiedTests=false}; {@code
 * -Dsluice.gain.pairs=3} and {@code -Dsluice.gain.seconds=30} tell how much.
 */
@EnabledIfSystemProperty(named = "sluice.gain", matches = "true")
class GainIT {
  private static final int PAIRS = Integer.getInteger("sluice.gain.pairs", 3);
  private static final int SECONDS = Integer.getInteger("sluice.gain.seconds", 30);
  private static final int WARM_UP_SECONDS = 10;

  /** Clients of each kind of read. */
  private record Mix(String name, Map<String, Integer> clients) {}

  @Test
  void point_and_range_reads_together() throws Exception {
    Map<String, Integer> clients = new LinkedHashMap<>();
    clients.put(Load.POINT, 8);
    clients.put(Load.NARROW, 4);
    clients.put(Load.MIDDLE, 4);
    clients.put(Load.WIDE, 8);
    compare(new Mix("8 point and 16 range clients", clients));
  }

  @Test
  void point_reads_alone() throws Exception {
    compare(new Mix("32 point clients", Map.of(Load.POINT, 32)));
  }

  private static void compare(Mix mix) throws Exception {
    Map<String, List<Double>> ratios = new LinkedHashMap<>();
    for (int pair = 0; pair < PAIRS; pair++) {
      Map<String, Load.Seen> stock = run(mix, () -> AgentNode.start(spec -> spec));
      Map<String, Load.Seen> ordered = run(mix, () -> AgentNode.withAgent("", spec -> spec));
      for (String each : mix.clients().keySet()) {
        double ratio = ordered.get(each).meanMillis() / stock.get(each).meanMillis();
        ratios.computeIfAbsent(each, k -> new ArrayList<>()).add(ratio);
        System.out.printf(
            "%s, pair %d, %-45s stock %8.2f ms (%d), agent %8.2f ms (%d), ratio %.3f%n",
            mix.name(),
            pair + 1,
            each,
            stock.get(each).meanMillis(),
            stock.get(each).nanos().size(),
            ordered.get(each).meanMillis(),
            ordered.get(each).nanos().size(),
            ratio);
      }
    }
    ratios.forEach(
        (statement, all) ->
            System.out.printf(
                "%s, median of %d ratios, %-45s %.3f%n",
                mix.name(),
                PAIRS,
                statement,
                all.stream().sorted().skip(PAIRS / 2).findFirst().orElseThrow()));
  }

  private static Map<String, Load.Seen> run(Mix mix, Supplier<AgentNode> start) throws Exception {
    try (AgentNode node = start.get()) {
      Load.fill(node);
      reads(node, mix, WARM_UP_SECONDS);
      return reads(node, mix, SECONDS);
    }
  }

  private static Map<String, Load.Seen> reads(AgentNode node, Mix mix, int seconds)
      throws Exception {
    try (Load load = new Load(node)) {
      Map<String, List<Future<Load.Seen>>> clients = new LinkedHashMap<>();
      mix.clients().forEach((each, count) -> clients.put(each, load.clients(count, each)));
      load.runFor(seconds * 1000L);
      load.end();
      Map<String, Load.Seen> seen = new LinkedHashMap<>();
      for (var each : clients.entrySet()) {
        seen.put(each.getKey(), Load.seenBy(each.getValue()));
      }
      return seen;
    }
  }
}
