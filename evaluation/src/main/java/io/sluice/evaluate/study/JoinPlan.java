package io.sluice.evaluate.study;

import io.sluice.cluster.ClusterSpec;
import io.sluice.cluster.LocalCluster;
import io.sluice.evaluate.disk.Disk;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * The study of joining nodes: a node joins a node with data, on a disk of its own, repeatedly from
 * the same state.
 *
 * @param disk opens the joining node's disk
 * @param node the nodes
 * @param folder folder of the node with data and of its copy
 * @param agent the agent's jar
 * @param launcher the program whose {@code host join} changes write-back
 * @param variants ways to join; the first is the baseline
 * @param loads reads a second; 0 for none
 * @param settings sizes of the data
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
        "4 tables of %d SSTables with %d rows of %d bytes each; the new node gets two tables"
                .formatted(settings.flushes(), settings.rows(), settings.valueBytes())
            + " completely, and half of the other two");
    notes.note(
        "Each join begins from a copy of the same node with data, on a new disk. Start to NORMAL"
            + " includes the start of the JVM and Cassandra's wait for the ring. Bootstrap to"
            + " NORMAL includes the data and the last syncs. Nodes and clients share processors.");
    notes.setting("joining node's disk", disk.name());
    notes.setting("disk of the node with data", "that of --dir");
    try (LocalCluster cluster = LocalCluster.start(spec(), notes::say)) {
      notes.say("loading the data");
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

  /** Returns the nodes, with stream throughput above that of the disk. */
  ClusterSpec spec() {
    return node.withDir(folder.resolve("join-study"))
        .withPrefix(script().prefix())
        .withYaml("stream_throughput_outbound", "500MiB/s")
        .withYaml("entire_sstable_stream_throughput_outbound", "500MiB/s");
  }
}
