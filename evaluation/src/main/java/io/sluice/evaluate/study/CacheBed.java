package io.sluice.evaluate.study;

import io.sluice.cluster.ClusterFailure;
import io.sluice.cluster.LocalCluster;
import io.sluice.cluster.LocalNode;
import io.sluice.evaluate.disk.Disk;
import io.sluice.evaluate.drive.Check;
import io.sluice.evaluate.drive.ClosedLoop;
import io.sluice.evaluate.drive.LoadTime;
import io.sluice.evaluate.drive.Mix;
import io.sluice.evaluate.drive.Observed;
import io.sluice.evaluate.drive.Requests;
import io.sluice.evaluate.drive.Tables;
import io.sluice.evaluate.kernel.ControlGroup;
import io.sluice.evaluate.kernel.ProcessCounters;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The node of the study of index files in memory. Both variants use one process: the agent's {@code
 * pin} is switched off and on between steps.
 */
final class CacheBed implements Bed {
  static final String STOCK = "stock";
  static final String PINNED = "pinned";
  static final String SPARE = "memory to spare";
  static final String SHORT = "beside scans, memory short";

  private static final String PIN = "io.sluice:type=Pin";
  private static final Path PROC = Path.of("/proc");
  private static final String SCANNED = "sluice_study_scanned";
  private static final Mix POINTS = new Mix(1, 0, 0, 1, false);
  private static final Duration TIMEOUT = Duration.ofSeconds(30);
  private static final LoadTime SHORT_TIME = new LoadTime(Duration.ZERO, Duration.ofSeconds(1));
  private static final double MIB = 1024 * 1024;

  private final CachePlan plan;
  private final @Nullable ControlGroup group;
  private final Notes notes;
  private final Deque<AutoCloseable> started = new ArrayDeque<>();
  private @Nullable Disk disk;
  private @Nullable LocalNode node;
  private @Nullable Access access;
  private long limit;

  /**
   * The node's beans and the requests to it.
   *
   * @param filling scans of the table of the point reads
   */
  private record Access(NodeBeans beans, Requests points, Requests scans, Requests filling) {}

  CacheBed(CachePlan plan, @Nullable ControlGroup group, Notes notes) {
    this.plan = plan;
    this.group = group;
    this.notes = notes;
    if (group != null) {
      started.push(group);
    }
  }

  void keep(Disk opened) {
    disk = opened;
    started.push(opened);
  }

  Path folder() {
    return Objects.requireNonNull(disk).folder();
  }

  /** Fills the node's tables, warms the node up, and computes the memory limit. */
  void start(LocalCluster cluster) throws InterruptedException {
    started.push(cluster);
    LocalNode first = cluster.node(0);
    node = first;
    CachePlan.Settings settings = plan.settings();
    notes.say("loading two tables of %,d rows".formatted(settings.rows()));
    StudyTable table = fill(cluster, StudyTable.KEYSPACE);
    StudyTable scanned = fill(cluster, SCANNED);
    NodeBeans beans = NodeBeans.of(first);
    started.push(beans);
    if (!beans.has(PIN)) {
      throw new ClusterFailure(first + " has no bean of the node agent; its log says why");
    }
    access =
        new Access(
            beans,
            table.tables().mix(POINTS, Tables.Levels.ONE, Check.SOME_ROWS),
            scanned.tables().scans(Check.COUNTS),
            table.tables().scans(Check.COUNTS));
    LoadTime warmUp = new LoadTime(Duration.ZERO, settings.time().counted());
    ClosedLoop.Running scanning =
        new ClosedLoop(access().scans()).begin(settings.scans(), warmUp, settings.seed());
    read(warmUp);
    scanning.await();
    first.collectGarbage();
    if (group != null) {
      long cache = plan.cacheBytes(table.bytes());
      limit = group.withoutCache() + cache;
      notes.setting(
          "memory limit, " + plan.group(),
          "%,.0f MiB, including %,.0f MiB of page cache".formatted(limit / MIB, cache / MIB));
      notes.setting("control groups", "version " + group.version());
    }
    notes.setting(
        "bytes of values, " + plan.group(),
        "%,.0f MiB in each of two tables".formatted(table.bytes() / MIB));
    notes.note(
        "Single rows are read from one table, and scans read another: a scan of the same table"
            + " would itself bring the index into memory. Both variants use one process with the"
            + " node agent; the agent's pin is switched off for stock. Before each step the"
            + " node's page cache is dropped and filled again: by a load of the same kind, or,"
            + " with memory to spare, by the whole table. Cassandra's key cache is off and its"
            + " chunk cache has 16 MiB: as small for this table as usual for the tables of a"
            + " node.");
    notes.setting("budget of pin, " + plan.group(), plan.budgetMiB() + " MiB");
    Objects.requireNonNull(disk).about().forEach(notes::setting);
  }

  private StudyTable fill(LocalCluster cluster, String keyspace) throws InterruptedException {
    CachePlan.Settings settings = plan.settings();
    StudyTable table =
        StudyTable.fill(cluster, keyspace, settings.rows(), settings.valueBytes(), settings.seed());
    started.push(table);
    return table;
  }

  /** Reads single rows, so that the agent pins the table's files and the JVM compiles the code. */
  private void read(LoadTime time) throws InterruptedException {
    new ClosedLoop(access().points()).run(plan.settings().points(), time, plan.settings().seed());
  }

  @Override
  public List<String> loads() {
    return group == null ? List.of(SPARE) : List.of(SHORT, SPARE);
  }

  @Override
  public List<String> targets() {
    return List.of(STOCK, PINNED);
  }

  @Override
  public Outcome play(int load, int target, long seed) throws InterruptedException {
    boolean isShort = loads().get(load).equals(SHORT);
    boolean pinned = targets().get(target).equals(PINNED);
    LoadTime time = plan.settings().time();
    prepare(isShort, pinned);
    LocalNode measured = Objects.requireNonNull(node);
    measured.collectGarbage();
    ProcessCounters before = ProcessCounters.of(PROC, measured.pid());
    long began = System.nanoTime();
    List<Observed> observed = new ArrayList<>();
    if (isShort) {
      ClosedLoop.Running scanning =
          new ClosedLoop(access().scans()).begin(plan.settings().scans(), time, seed + 1);
      observed.add(new ClosedLoop(access().points()).run(plan.settings().points(), time, seed));
      List<Outcome.Reading> numbers = numbers(measured, before, began);
      observed.add(scanning.await());
      return new Outcome(observed, time.seconds(), numbers, List.of());
    }
    observed.add(new ClosedLoop(access().points()).run(plan.settings().points(), time, seed));
    return new Outcome(observed, time.seconds(), numbers(measured, before, began), List.of());
  }

  /**
   * Prepares a step: empties the page cache, sets limit and {@code pin}, and fills the cache again:
   * with memory to spare by the whole table, otherwise by a load of the same kind.
   */
  private void prepare(boolean isShort, boolean pinned) throws InterruptedException {
    access().beans().set(PIN, "Enabled", false);
    awaitPinned(0, 0);
    if (group != null) {
      group.unlimit();
      group.dropCaches();
      if (isShort) {
        group.limit(limit);
      }
    }
    if (pinned) {
      access().beans().set(PIN, "Enabled", true);
      read(new LoadTime(Duration.ZERO, Duration.ofSeconds(2)));
      awaitPinned(1, Math.min(wanted(), plan.budgetMiB() << 20));
    }
    if (isShort) {
      ClosedLoop.Running scanning = new ClosedLoop(access().scans()).begin(1, SHORT_TIME, 1);
      read(SHORT_TIME);
      scanning.await();
    } else {
      new ClosedLoop(access().filling()).run(1, SHORT_TIME, 1);
    }
  }

  private long wanted() {
    return access().beans().number(PIN, "WantedBytes");
  }

  /**
   * Waits until {@code most} bytes, less a twentieth, are pinned, or none if {@code least} is 0.
   * After the timeout the step continues; the report shows how much is pinned.
   */
  private void awaitPinned(long least, long most) throws InterruptedException {
    long end = System.nanoTime() + TIMEOUT.toNanos();
    while (System.nanoTime() - end < 0) {
      long pinned = access().beans().number(PIN, "PinnedBytes");
      if (least == 0 ? pinned == 0 : pinned >= most - most / 20) {
        return;
      }
      TimeUnit.MILLISECONDS.sleep(200);
    }
  }

  private List<Outcome.Reading> numbers(LocalNode measured, ProcessCounters before, long began) {
    double seconds = (System.nanoTime() - began) / 1e9;
    Path data = measured.dir().resolve("data");
    ProcessCounters after = ProcessCounters.of(PROC, measured.pid());
    return List.of(
        new Outcome.Reading(
            "read from the disk",
            "MiB/s",
            (after.readBytes() - before.readBytes()) / MIB / seconds),
        new Outcome.Reading(
            "page faults that read from the disk",
            "/s",
            (after.majorFaults() - before.majorFaults()) / seconds),
        new Outcome.Reading("pinned", "MiB", access().beans().number(PIN, "PinnedBytes") / MIB),
        new Outcome.Reading(
            "data files locked, by the kernel's count",
            "MiB",
            ProcessCounters.lockedBytes(PROC, measured.pid(), data) / MIB),
        new Outcome.Reading(
            "deleted files held",
            "",
            (double) ProcessCounters.deletedMaps(PROC, measured.pid(), data)),
        new Outcome.Reading(
            "times pin released memory", "", (double) access().beans().number(PIN, "Shortages")));
  }

  private Access access() {
    return Objects.requireNonNull(access);
  }

  @Override
  public void close() {
    while (!started.isEmpty()) {
      try {
        started.pop().close();
      } catch (Exception e) {
        notes.say("cannot stop a part of the test bed: " + e.getMessage());
      }
    }
  }
}
