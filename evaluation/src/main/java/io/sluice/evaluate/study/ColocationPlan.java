package io.sluice.evaluate.study;

import io.sluice.cluster.ClusterSpec;
import io.sluice.cluster.LocalCluster;
import io.sluice.evaluate.drive.LoadTime;
import io.sluice.evaluate.kernel.ControlGroup;
import io.sluice.evaluate.kernel.Ksm;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * The study of several nodes on a host with little memory, with several settings of page merging.
 *
 * @param nodes number of nodes
 * @param node each of the nodes
 * @param folder folder of the nodes
 * @param agent the agent's jar
 * @param merging settings of page merging; the first is the baseline
 * @param settings sizes and clients
 * @param root the file system's root
 */
public record ColocationPlan(
    int nodes,
    ClusterSpec node,
    Path folder,
    Path agent,
    List<Merging> merging,
    Settings settings,
    Path root)
    implements Bed.Plan {
  /**
   * Sizes and clients.
   *
   * @param memoryMiB memory of the host, for all nodes and their page cache
   * @param rows rows of the table
   * @param clients clients, with half reads and half writes
   * @param settleSeconds seconds that merging runs before a load
   * @param time duration of a load
   * @param seed seed of the rows' values
   */
  public record Settings(
      int memoryMiB, int rows, int clients, int settleSeconds, LoadTime time, long seed) {}

  @Override
  public String group() {
    return nodes == 1 ? "1 node" : nodes + " nodes";
  }

  @Override
  public Duration step() {
    return settings.time().whole().plus(Duration.ofSeconds(settings.settleSeconds() + 3L));
  }

  @Override
  public Bed open(Bed.Notes notes) throws InterruptedException {
    Optional<ControlGroup> group =
        ControlGroup.make(root.resolve("sys/fs/cgroup"), "sluice-colocation");
    ColocationBed bed = new ColocationBed(this, notes);
    try {
      group.ifPresent(bed::keep);
      bed.start(LocalCluster.start(spec(group), notes::say));
      group.ifPresent(each -> each.limit((long) settings.memoryMiB() << 20));
      notes.setting("seconds before a load", Integer.toString(settings.settleSeconds()));
      notes.setting("data", settings.rows() + " rows of 1,000 bytes, in all nodes together");
      notes.setting(
          "memory of the host",
          group.isPresent() ? settings.memoryMiB() + " MiB, by a control group" : "unlimited");
      if (merging.size() > 1) {
        bed.keep(new Ksm(root));
      }
      return bed;
    } catch (InterruptedException | RuntimeException e) {
      bed.close();
      throw e;
    }
  }

  private ClusterSpec spec(Optional<ControlGroup> group) {
    ClusterSpec spec =
        node.withNodes(nodes, 1)
            .withDir(folder.resolve("colocation-study"))
            .withJvmArg("-javaagent:" + agent + "=merge=true");
    return group.map(each -> spec.withPrefix(each.entering())).orElse(spec);
  }
}
