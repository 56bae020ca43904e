package io.sluice.torture;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The settings of all runs of a command.
 *
 * @param seconds duration of clients and faults
 * @param nodes number of nodes
 * @param proxies number of proxies; 0 if clients connect to the nodes
 * @param homes whether range reads queue at the home proxies of their nodes
 * @param firstPort CQL port of the first proxy, whose admin port is the next
 * @param clusterPort CQL port of the nodes
 * @param storagePort storage port of the nodes
 * @param dir folder for all files
 * @param launcher the program that starts a proxy; null if there is none
 */
record Plan(
    int seconds,
    int nodes,
    int proxies,
    boolean homes,
    int firstPort,
    int clusterPort,
    int storagePort,
    Path dir,
    @Nullable Path launcher) {

  /** Throws an {@link IllegalArgumentException} with the option that is out of range. */
  Plan {
    require(seconds >= 10, "--seconds must be at least 10");
    require(nodes >= 3 && nodes <= 7, "--nodes must be 3 to 7: a majority of three replicas stays");
    require(proxies >= 0 && proxies <= 8, "--proxies must be 1 to 8");
    require(!homes || proxies > 1, "--homes must have at least two --proxies");
  }

  private static void require(boolean condition, String message) {
    if (!condition) {
      throw new IllegalArgumentException(message);
    }
  }

  /** Returns the faults of a seed. */
  Schedule schedule(long seed) {
    Schedule all = Schedule.of(seed, seconds, nodes, Math.max(1, proxies));
    return proxies == 0 ? all.direct() : all;
  }

  /** Describes the clients' target. */
  String target() {
    String through = "through " + proxies + (proxies == 1 ? " proxy" : " proxies");
    return proxies == 0 ? "direct" : through + (homes ? " with homes" : "");
  }

  /** Returns the folder of a seed's files. */
  Path folder(long seed) {
    return dir.resolve("seed-" + seed + (proxies == 0 ? "-direct" : ""));
  }
}
