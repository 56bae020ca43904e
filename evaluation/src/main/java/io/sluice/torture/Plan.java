package io.sluice.torture;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Settings of all runs of a command.
 *
 * @param seconds how long clients and faults go on
 * @param nodes how many nodes there are
 * @param proxies how many proxies there are; 0: clients ask the nodes
 * @param homes whether range reads wait at the home proxies of their nodes
 * @param firstPort the CQL port of the first proxy, whose admin port is the next
 * @param clusterPort the CQL port of the nodes
 * @param storagePort the storage port of the nodes
 * @param dir where everything is written
 * @param launcher the program that starts a proxy; null where there is none
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

  /** Throws {@link IllegalArgumentException} that names the option that is out of range. */
  Plan {
    require(seconds >= 10, "--seconds must be at least 10");
    require(nodes >= 3 && nodes <= 7, "--nodes must be 3 to 7: a majority of three replicas stays");
    require(proxies >= 0 && proxies <= 8, "--proxies must be 1 to 8");
    require(!homes || proxies > 1, "--homes must have at least two proxies");
  }

  private static void require(boolean condition, String message) {
    if (!condition) {
      throw new IllegalArgumentException(message);
    }
  }

  /** The faults of a seed. */
  Schedule schedule(long seed) {
    Schedule all = Schedule.of(seed, seconds, nodes, Math.max(1, proxies));
    return proxies == 0 ? all.direct() : all;
  }

  /** The clients' target, in words. */
  String target() {
    String through = "through " + proxies + (proxies == 1 ? " proxy" : " proxies");
    return proxies == 0 ? "direct" : through + (homes ? " with homes" : "");
  }

  /** The folder of a seed's files. */
  Path folder(long seed) {
    return dir.resolve("seed-" + seed + (proxies == 0 ? "-direct" : ""));
  }
}
