package io.sluice.evaluate.study;

import io.sluice.cluster.ClusterFailure;
import io.sluice.cluster.LocalCluster;
import io.sluice.cluster.LocalNode;
import io.sluice.evaluate.disk.Disk;
import io.sluice.evaluate.disk.DiskCounts;
import io.sluice.evaluate.disk.SimDisk;
import io.sluice.evaluate.figures.Curve;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;

/** Measures one join, from its start until the node is NORMAL and its data is on the disk. */
final class JoinWatch {
  private static final String BEAN = "io.sluice:type=Join";
  private static final String STREAMED =
      "org.apache.cassandra.metrics:type=Streaming,name=TotalIncomingBytes";
  private static final double MIB = 1024 * 1024;
  private static final long SAMPLE_MILLIS = 250;

  private final LocalCluster cluster;
  private final Disk disk;
  private final Path joiner;
  private final List<Curve.Point> files = new ArrayList<>();
  private final List<Outcome.Reading> readings = new ArrayList<>();
  private DiskCounts before = DiskCounts.NONE;
  private LocalDateTime start = LocalDateTime.MIN;
  private double seconds;

  JoinWatch(LocalCluster cluster, Disk disk, Path joiner) {
    this.cluster = cluster;
    this.disk = disk;
    this.joiner = joiner;
  }

  /** Lets the node join. */
  void join(WriteBack writeBack) throws InterruptedException {
    before = counts();
    start = LocalDateTime.now(ZoneId.systemDefault());
    long began = System.nanoTime();
    CompletableFuture<LocalNode> join = CompletableFuture.supplyAsync(cluster::addNode);
    while (!join.isDone()) {
      TimeUnit.MILLISECONDS.sleep(SAMPLE_MILLIS);
      sampleReceived(began);
      if (cluster.nodes().size() > 1 && cluster.node(1).alive()) {
        writeBack.begin(cluster.node(1).pid());
      }
    }
    awaitJoin(join);
    sampleReceived(began);
  }

  /** Collects the figures of the joined node, and stops all nodes. */
  void afterwards() throws InterruptedException {
    double sync = sync();
    LocalNode node = cluster.node(1);
    long bytes = streamed(node);
    DiskCounts after = counts();
    JoinLog log = JoinLog.of(lines(node));
    LocalDateTime begun = log.begun().orElseThrow(() -> missing("its bootstrap"));
    LocalDateTime normal = log.normal().orElseThrow(() -> missing("NORMAL"));
    seconds = seconds(start, normal);
    add("start to NORMAL", "s", seconds);
    add("bootstrap to NORMAL", "s", seconds(begun, normal));
    add("sync of the disk after NORMAL", "s", sync);
    add("received", "MiB", bytes / MIB);
    addAgentReadings(node);
    if (disk instanceof SimDisk) {
      DiskCounts charged = after.since(before);
      add("seeks of the disk", "", (double) charged.seeks());
      add("time of the disk", "s", charged.nanos() / 1e9);
    }
    cluster.nodes().forEach(LocalNode::stop);
    double limit = new FileTree(disk.folder()).nanosToWrite(bytes) / 1e9;
    add("sequential write of as many bytes", "s", limit);
    add("bootstrap to NORMAL, times the sequential write", "", seconds(begun, normal) / limit);
  }

  private static void awaitJoin(CompletableFuture<LocalNode> join) {
    try {
      join.join();
    } catch (CompletionException e) {
      throw e.getCause() instanceof ClusterFailure failure ? failure : e;
    }
  }

  /**
   * Returns the streamed bytes. The size of the files is no measure, because compaction may replace
   * them.
   */
  private static long streamed(LocalNode node) {
    try (NodeBeans beans = NodeBeans.of(node)) {
      return beans.number(STREAMED, "Count");
    }
  }

  private void addAgentReadings(LocalNode node) {
    try (NodeBeans beans = NodeBeans.of(node)) {
      if (beans.has(BEAN)) {
        add("syncs deferred", "", (double) beans.number(BEAN, "SyncsPutOff"));
        add("barriers", "s", beans.number(BEAN, "BarrierMillis") / 1e3);
        add("longest barrier", "s", beans.number(BEAN, "LongestBarrierMillis") / 1e3);
      }
    }
  }

  private DiskCounts counts() {
    return disk instanceof SimDisk sim ? sim.counts() : DiskCounts.NONE;
  }

  private void sampleReceived(long began) {
    files.add(new Curve.Point((System.nanoTime() - began) / 1e9, bytes() / MIB));
  }

  private long bytes() {
    return new FileTree(joiner.resolve("data")).bytesOf(JoinData.KEYSPACES);
  }

  /**
   * Syncs the joining node's disk. Returns the seconds, which show how much data a power cut could
   * still lose after NORMAL.
   */
  private double sync() throws InterruptedException {
    long began = System.nanoTime();
    try {
      new ProcessBuilder("sync", "-f", joiner.toString()).inheritIO().start().waitFor();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return (System.nanoTime() - began) / 1e9;
  }

  private static List<String> lines(LocalNode node) {
    try {
      return Files.readAllLines(node.log());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static ClusterFailure missing(String what) {
    return new ClusterFailure("the log of the joining node does not mention " + what);
  }

  private static double seconds(LocalDateTime from, LocalDateTime to) {
    return Duration.between(from, to).toMillis() / 1e3;
  }

  private void add(String name, String unit, double value) {
    readings.add(new Outcome.Reading(name, unit, value));
  }

  /** Returns the seconds from the start to NORMAL. */
  double seconds() {
    return seconds;
  }

  List<Outcome.Reading> readings() {
    return List.copyOf(readings);
  }

  Outcome.Course files() {
    return new Outcome.Course("data files", "MiB", files);
  }
}
