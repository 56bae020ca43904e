package io.sluice.evaluate.study;

import io.sluice.cluster.ClusterSpec;
import io.sluice.cluster.LocalCluster;
import io.sluice.evaluate.disk.Disk;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * Joining: one node with data, and another one that joins it, on a disk of its own, again and again
 * from the same beginning.
 *
 * @param disk to make the joining node's disk
 * @param node the nodes
 * @param folder for the node with data, and for what every step begins with
 * @param agent the agent's jar
 * @param launcher the program whose {@code host join} sets write-back
 * @param variants ways to join, the one to compare with first
 * @param loads reads a second, 0 for none
 * @param settings sizes
 */
public record JoinPlan(
    Disk.Plan disk,
    ClusterSpec node,
    Path folder,
    Path agent,
    Path launcher,
    List<JoinVariant> variants,
    List<Integer> loads,
    JoinSettings settings)
    implements Bed.Plan {
  private static final Duration STEP = Duration.ofSeconds(50);

  @Override
  public String group() {
    return disk.name();
  }

  @Override
  public Duration step() {
    return STEP;
  }

  @Override
  public Bed open(Bed.Notes notes) throws InterruptedException {
    new FileTree(template()).delete();
    new FileTree(spec().dir()).delete();
    LaunchScript script = script();
    script.with(List.of());
    notes.setting(
        "data",
        "4 tables of %d SSTables with %d rows of %d bytes each; two tables go to the new node as"
                .formatted(settings.flushes(), settings.rows(), settings.valueBytes())
            + " a whole, of two others half");
    notes.note(
        "Each join begins from a copy of the same node with data, on a new disk. Start to NORMAL has"
            + " the start of the JVM and Cassandra's waiting for the ring in it, bootstrap to NORMAL"
            + " has the data and the last syncs. Both nodes and the clients share the processors.");
    notes.setting("joining node's disk", disk.name());
    notes.setting("disk of the node with data", "that of --dir");
    try (LocalCluster cluster = LocalCluster.start(spec(), notes::say)) {
      notes.say("loading the node with data");
      JoinData.fill(cluster, settings);
      cluster.detach();
      cluster.node(0).stop();
      new FileTree(spec().dir()).copyTo(template());
    }
    return new JoinBed(this, notes);
  }

  LaunchScript script() {
    return new LaunchScript(folder.resolve("join-launch"));
  }

  Path template() {
    return folder.resolve("join-template");
  }

  /** Streams are as fast as the disk. */
  ClusterSpec spec() {
    return node.withDir(folder.resolve("join-study"))
        .withPrefix(script().prefix())
        .withYaml("stream_throughput_outbound", "500MiB/s")
        .withYaml("entire_sstable_stream_throughput_outbound", "500MiB/s");
  }
}
