package io.sluice.evaluate.study;

import com.datastax.oss.driver.api.core.CqlSession;
import io.sluice.cluster.LocalCluster;
import io.sluice.evaluate.disk.Disk;
import io.sluice.evaluate.disk.SimDisk;
import io.sluice.evaluate.drive.Check;
import io.sluice.evaluate.drive.LoadTime;
import io.sluice.evaluate.drive.Mix;
import io.sluice.evaluate.drive.Observed;
import io.sluice.evaluate.drive.OpenLoop;
import io.sluice.evaluate.drive.Tables;
import io.sluice.load.RateProfile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** Measures joins, each from a copy of the same node with data. */
final class JoinBed implements Bed {
  private static final int ATTEMPTS = 50;
  private static final long PAUSE_NANOS = 100_000_000;
  private static final Mix READS = new Mix(1, 0, 0, 1, false);
  private static final LoadTime LONGEST_JOIN = new LoadTime(Duration.ZERO, Duration.ofMinutes(5));

  /** Keeps the node with data from compacting the SSTables of each table into one before a join. */
  private static final String NO_COMPACTION = "-Dcassandra.autocompaction_on_startup_enabled=false";

  private final JoinPlan plan;
  private final Notes notes;
  private final Thread hook = new Thread(this::removeFiles, "remove-join-study");

  /** The folder of the joining node; null before the first join. */
  private volatile @Nullable Path joiner;

  JoinBed(JoinPlan plan, Notes notes) {
    this.plan = plan;
    this.notes = notes;
    Runtime.getRuntime().addShutdownHook(hook);
  }

  @Override
  public List<String> loads() {
    return plan.loads().stream()
        .map(rate -> rate == 0 ? "no load" : rate + " reads a second")
        .toList();
  }

  @Override
  public List<String> targets() {
    return plan.variants().stream().map(JoinVariant::label).toList();
  }

  @Override
  public Outcome play(int load, int target, long seed) throws InterruptedException {
    JoinVariant variant = plan.variants().get(target);
    Path folder = plan.spec().dir();
    new FileTree(folder).delete();
    new FileTree(plan.template()).copyTo(folder);
    try (Disk disk = plan.disk().open()) {
      disk.about().forEach(notes::setting);
      chooseScheduler(disk, variant);
      plan.script().with(List.of(NO_COMPACTION));
      try (LocalCluster cluster = LocalCluster.open(plan.spec(), line -> {})) {
        return join(cluster, disk, variant, plan.loads().get(load), seed);
      } finally {
        new FileTree(joiner(disk)).delete();
      }
    }
  }

  private static void chooseScheduler(Disk disk, JoinVariant variant) {
    String scheduler = variant.scheduler();
    if (scheduler != null && disk instanceof SimDisk sim) {
      try {
        Files.writeString(sim.sysfs().resolve("queue").resolve("scheduler"), scheduler);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  private Outcome join(
      LocalCluster cluster, Disk disk, JoinVariant variant, int perSecond, long seed)
      throws InterruptedException {
    Path joiner = prepareJoiner(disk);
    plan.script()
        .with(variant.agent() ? List.of("-javaagent:" + plan.agent() + "=join=true") : List.of());
    AtomicBoolean joined = new AtomicBoolean();
    try (CqlSession session = JoinData.open(cluster)) {
      CompletableFuture<List<Observed>> reading = reads(session, perSecond, seed, joined);
      JoinWatch watch = new JoinWatch(cluster, disk, joiner);
      try (WriteBack writeBack =
          variant.writeBack() ? new WriteBack(plan.launcher(), plan.folder()) : WriteBack.NONE) {
        watch.join(writeBack);
      } finally {
        joined.set(true);
      }
      List<Observed> observed = reading.join();
      watch.afterwards();
      return new Outcome(observed, watch.seconds(), watch.readings(), List.of(watch.files()));
    }
  }

  private static Path joiner(Disk disk) {
    return disk.folder().resolve("sluice-joiner");
  }

  /** Creates the empty folder of the joining node, on its disk. */
  Path prepareJoiner(Disk disk) {
    Path folder = joiner(disk);
    joiner = folder;
    new FileTree(folder).delete();
    try {
      Files.createDirectories(folder);
      Files.createSymbolicLink(plan.spec().dir().resolve("node2"), folder);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return folder;
  }

  /** Starts reads that end when the node has joined. */
  private CompletableFuture<List<Observed>> reads(
      CqlSession session, int perSecond, long seed, AtomicBoolean joined) {
    if (perSecond == 0) {
      return CompletableFuture.completedFuture(List.of());
    }
    Tables tables = new Tables(session, JoinData.data(session, JoinData.HALF, plan.settings()));
    return CompletableFuture.supplyAsync(
        () -> {
          try {
            return new ArrayList<>(
                List.of(
                    new OpenLoop(tables, READS, Check.COUNTS)
                        .run(RateProfile.steady(perSecond), LONGEST_JOIN, seed, joined::get)));
          } catch (InterruptedException e) {
            throw new CompletionException(e);
          }
        });
  }

  /**
   * Removes the files. Retries, because on a shutdown of the JVM the nodes may still write for a
   * moment.
   */
  private void removeFiles() {
    for (int i = 0; i < ATTEMPTS; i++) {
      try {
        new FileTree(plan.template()).delete();
        new FileTree(plan.script().file()).delete();
        new FileTree(plan.spec().dir()).delete();
        Path onDisk = joiner;
        if (onDisk != null) {
          new FileTree(onDisk).delete();
        }
        return;
      } catch (UncheckedIOException e) {
        LockSupport.parkNanos(PAUSE_NANOS);
      }
    }
    notes.say(
        "cannot remove all files of the study in "
            + plan.folder()
            + (joiner == null ? "" : " and in " + joiner));
  }

  @Override
  public void close() {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // The JVM is shutting down: the hook removes the files.
      return;
    }
    removeFiles();
  }
}
