package io.sluice.evaluate.study;

import io.sluice.cluster.LocalCluster;
import io.sluice.cluster.LocalNode;
import io.sluice.evaluate.drive.Check;
import io.sluice.evaluate.drive.ClosedLoop;
import io.sluice.evaluate.drive.LoadTime;
import io.sluice.evaluate.drive.Mix;
import io.sluice.evaluate.drive.Observed;
import io.sluice.evaluate.drive.RequestClass;
import io.sluice.evaluate.drive.Requests;
import io.sluice.evaluate.drive.Tables;
import io.sluice.evaluate.kernel.ControlGroup;
import io.sluice.evaluate.kernel.Ksm;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The nodes of the study of nodes that share a host. */
final class ColocationBed implements Bed {
  private static final Mix HALVES = new Mix(0.5, 0, 0.5, 1, true);
  private static final Ksm.Counters NOTHING = new Ksm.Counters(0, 0, 0);
  private static final int VALUE_BYTES = 1000;
  private static final double MIB = 1024 * 1024;

  private final ColocationPlan plan;
  private final Notes notes;
  private final Deque<AutoCloseable> started = new ArrayDeque<>();
  private @Nullable LocalCluster cluster;
  private @Nullable Requests requests;
  private @Nullable Ksm ksm;
  private @Nullable ControlGroup group;

  ColocationBed(ColocationPlan plan, Notes notes) {
    this.plan = plan;
    this.notes = notes;
  }

  void keep(ControlGroup made) {
    group = made;
    started.push(made);
  }

  void keep(Ksm kernel) {
    ksm = kernel;
    started.push(kernel);
  }

  void start(LocalCluster nodes) throws InterruptedException {
    cluster = nodes;
    started.push(nodes);
    notes.say("loading %,d rows".formatted(plan.settings().rows()));
    StudyTable table =
        StudyTable.fill(nodes, plan.settings().rows(), VALUE_BYTES, plan.settings().seed());
    started.push(table);
    Requests halves = table.tables().mix(HALVES, Tables.Levels.ONE, Check.COUNTS);
    requests = halves;
    new ClosedLoop(halves)
        .run(
            plan.settings().clients(),
            new LoadTime(Duration.ZERO, plan.settings().time().counted()),
            plan.settings().seed());
  }

  @Override
  public List<String> loads() {
    return List.of("half reads, half writes");
  }

  @Override
  public List<String> targets() {
    return plan.merging().stream().map(Merging::label).toList();
  }

  @Override
  public Outcome play(int load, int target, long seed) throws InterruptedException {
    Objects.requireNonNull(cluster).nodes().forEach(LocalNode::collectGarbage);
    Ksm kernel = ksm;
    if (kernel != null) {
      kernel.set(plan.merging().get(target).settings());
      TimeUnit.SECONDS.sleep(plan.settings().settleSeconds());
    }
    Ksm.Counters before = kernel == null ? NOTHING : kernel.counters();
    long began = System.nanoTime();
    LoadTime time = plan.settings().time();
    Observed observed =
        new ClosedLoop(Objects.requireNonNull(requests)).run(plan.settings().clients(), time, seed);
    double seconds = (System.nanoTime() - began) / 1e9;
    List<Outcome.Reading> readings = new ArrayList<>();
    readings.add(
        new Outcome.Reading(
            "reads and writes",
            "/s",
            (observed.of(RequestClass.SINGLE).inTime() + observed.of(RequestClass.WRITE).inTime())
                / time.seconds()));
    if (kernel != null) {
      Ksm.Counters after = kernel.counters();
      readings.add(new Outcome.Reading("saved by merging", "MiB", after.savedBytes() / MIB));
      readings.add(new Outcome.Reading("saved by zero pages", "MiB", after.zeroBytes() / MIB));
      readings.add(
          new Outcome.Reading(
              "ksmd under the load",
              "% of a core",
              100 * (after.seconds() - before.seconds()) / seconds));
    }
    ControlGroup limited = group;
    if (limited != null) {
      readings.add(
          new Outcome.Reading("memory without page cache", "MiB", limited.withoutCache() / MIB));
      readings.add(new Outcome.Reading("page cache", "MiB", limited.cache() / MIB));
    }
    return new Outcome(List.of(observed), time.seconds(), readings, List.of());
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
