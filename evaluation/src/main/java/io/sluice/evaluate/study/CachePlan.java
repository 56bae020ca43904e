package io.sluice.evaluate.study;

import io.sluice.cluster.ClusterSpec;
import io.sluice.cluster.LocalCluster;
import io.sluice.evaluate.disk.Disk;
import io.sluice.evaluate.drive.LoadTime;
import io.sluice.evaluate.kernel.ControlGroup;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/**
 * Index files in memory: one node with the agent, whose page cache has room for a part of its data.
 *
 * @param format of the data files
 * @param disk to make the node's disk; its name is part of the group's
 * @param node the node, but for its format and its folder
 * @param agent the agent's jar
 * @param settings sizes and clients
 * @param groups where control groups are mounted
 */
public record CachePlan(
    SstableFormat format,
    Disk.Plan disk,
    ClusterSpec node,
    Path agent,
    Settings settings,
    Path groups)
    implements Bed.Plan {
  private static final long LEAST_CACHE = 48L << 20;
  private static final Duration BETWEEN = Duration.ofSeconds(5);

  /**
   * Sizes and clients.
   *
   * @param rows rows of the table
   * @param valueBytes bytes of a row's value
   * @param cachePercent page cache that is left to the node, in percent of the table's bytes
   * @param points clients that read single rows
   * @param scans clients that read the whole table
   * @param time of a load
   * @param seed of the rows' values
   */
  public record Settings(
      int rows,
      int valueBytes,
      int cachePercent,
      int points,
      int scans,
      LoadTime time,
      long seed) {}

  @Override
  public String group() {
    return format + ", " + disk.name();
  }

  @Override
  public Duration step() {
    return settings.time().whole().plus(BETWEEN);
  }

  @Override
  public Bed open(Bed.Notes notes) throws InterruptedException {
    Optional<ControlGroup> group = ControlGroup.make(groups, "sluice-cache");
    CacheBed bed = new CacheBed(this, group.orElse(null), notes);
    try {
      notes.say("making a disk: " + disk.name());
      bed.keep(disk.open());
      bed.start(LocalCluster.start(spec(bed.folder(), group), notes::say));
      return bed;
    } catch (InterruptedException | RuntimeException e) {
      bed.close();
      throw e;
    }
  }

  /**
   * The node. Cassandra's own caches are as small beside the table as they are beside the tables of
   * a node in production, or else they would hold all of it.
   */
  private ClusterSpec spec(Path folder, Optional<ControlGroup> group) {
    ClusterSpec spec =
        format
            .in(node)
            .withDir(folder.resolve("cache-study"))
            .withYaml("key_cache_size", "0MiB")
            .withYaml("file_cache_size", "16MiB")
            .withJvmArg("-XX:+AlwaysPreTouch")
            .withJvmArg("-javaagent:" + agent + "=pin=" + budgetMiB() + "MiB");
    return group.map(each -> spec.withPrefix(each.entering())).orElse(spec);
  }

  /** A fifth of the table's bytes holds every index of such rows. */
  long budgetMiB() {
    return Math.max(16, ((long) settings.rows() * settings.valueBytes() / 5) >> 20);
  }

  /**
   * Page cache that is left to the node. With less than the least of it a JVM that needs a little
   * more memory of its own would be ended by the kernel.
   *
   * @param tableBytes bytes of the table
   */
  long cacheBytes(long tableBytes) {
    return Math.max(LEAST_CACHE, tableBytes * settings.cachePercent() / 100);
  }
}
