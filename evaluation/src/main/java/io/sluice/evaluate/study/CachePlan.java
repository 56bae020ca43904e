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
 * The study of index files in memory: one node with the agent, whose page cache holds a part of its
 * data.
 *
 * @param format format of the SSTables
 * @param disk opens the node's disk; its name is part of the group's name
 * @param node the node, except its format and folder
 * @param agent the agent's jar
 * @param settings sizes and clients
 * @param groups mount point of the control groups
 */
public record CachePlan(
    SstableFormat format,
    Disk.Plan disk,
    ClusterSpec node,
    Path agent,
    Settings settings,
    Path groups)
    implements Bed.Plan {
  private static final long MIN_CACHE = 48L << 20;
  private static final Duration BETWEEN = Duration.ofSeconds(5);

  /**
   * Sizes and clients.
   *
   * @param rows rows of each table
   * @param valueBytes bytes of a row's value
   * @param cachePercent page cache left to the node, in percent of one table's bytes
   * @param points clients that read single rows
   * @param scans clients that read the whole other table
   * @param time duration of a load
   * @param seed seed of the rows' values
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
      notes.say("opening the disk: " + disk.name());
      bed.keep(disk.open());
      bed.start(LocalCluster.start(spec(bed.folder(), group), notes::say));
      return bed;
    } catch (InterruptedException | RuntimeException e) {
      bed.close();
      throw e;
    }
  }

  /**
   * Returns the node. Cassandra's caches are as small relative to the table as in production;
   * larger ones would hold the whole table.
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

  /**
   * Returns the agent's budget: a fifth of one table's bytes, which holds every index of such rows.
   */
  long budgetMiB() {
    return Math.max(16, ((long) settings.rows() * settings.valueBytes() / 5) >> 20);
  }

  /**
   * Returns the size of the page cache left to the node. The minimum keeps the kernel from killing
   * the JVM when it needs a little more memory of its own.
   *
   * @param tableBytes bytes of one table
   */
  long cacheBytes(long tableBytes) {
    return Math.max(MIN_CACHE, tableBytes * settings.cachePercent() / 100);
  }
}
