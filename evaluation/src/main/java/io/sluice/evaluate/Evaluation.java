package io.sluice.evaluate;

import io.sluice.evaluate.bed.BedSpec;
import io.sluice.evaluate.bed.OtherEndpoint;
import io.sluice.evaluate.bed.ProxyWatch;
import io.sluice.evaluate.bed.TestBed;
import io.sluice.evaluate.bed.Variant;
import io.sluice.evaluate.drive.Check;
import io.sluice.evaluate.drive.ClosedLoop;
import io.sluice.evaluate.drive.Data;
import io.sluice.evaluate.drive.LoadTime;
import io.sluice.evaluate.drive.Mix;
import io.sluice.evaluate.drive.Observed;
import io.sluice.evaluate.drive.RequestClass;
import io.sluice.evaluate.drive.Tables;
import io.sluice.evaluate.figures.ProxyUse;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * One evaluation of Sluice: starts nodes and proxies, measures all loads, and writes the report.
 */
final class Evaluation {
  private static final int CHECKING_CLIENTS = 8;

  private final BedOptions options;
  private final Reporting reporting;
  private final Recording recording;
  private final HdrLogs logs;

  /** Whether an answer that was checked or counted had wrong rows, or too few. */
  private boolean wrongRows;

  /** Creates the loads, after the targets have started. */
  interface Scenes {
    List<Scene> of(TestBed bed) throws InterruptedException;
  }

  Evaluation(String kind, BedOptions options, PrintWriter out) {
    ZonedDateTime now = ZonedDateTime.now(ZoneId.systemDefault());
    this.options = options;
    this.reporting = new Reporting(kind, options.out(kind, now), now, out);
    this.recording = reporting.recording();
    this.logs = new HdrLogs(folder().resolve("hdr"));
  }

  Path folder() {
    return reporting.folder();
  }

  Recording recording() {
    return recording;
  }

  /**
   * Starts the nodes and proxies, measures them, stops them, and writes the report.
   *
   * @return the exit code of the command: 1 if an answer had wrong rows or too few, otherwise 0
   */
  int run(BedSpec spec, Mix check, Scenes scenes) throws IOException, InterruptedException {
    reporting.during(
        () -> {
          Percent percent = new Percent(spec.rows(), done -> say("loading " + done + " %"));
          try (TestBed bed = TestBed.start(spec, this::say, percent::done)) {
            describe(bed, spec);
            for (TestBed.Target target : bed.targets()) {
              check(target, check);
              startEndedNodes(bed, "before measuring", target, check);
            }
            measure(bed, scenes.of(bed), check);
          }
        });
    return exitCode();
  }

  int exitCode() {
    return wrongRows ? 1 : 0;
  }

  /** Checks every row of every answer, and so warms the target up. */
  private void check(TestBed.Target target, Mix mix) throws InterruptedException {
    say("checking answers of " + target.label());
    LoadTime time = new LoadTime(Duration.ZERO, Duration.ofSeconds(options.quick() ? 1 : 5));
    Observed seen =
        new ClosedLoop(target.tables().mix(mix, Tables.Levels.ONE, Check.ALL_ROWS))
            .run(CHECKING_CLIENTS, time, options.seed());
    checked(target.label(), seen);
  }

  /** Records the result of the check of a target's answers. */
  void checked(String label, Observed seen) {
    wrongRows |= seen.hasWrongRows();
    long right = 0;
    Map<String, Long> failures = new LinkedHashMap<>();
    for (RequestClass of : RequestClass.values()) {
      right += seen.of(of).micros().getTotalCount();
      seen.of(of).failures().forEach((kind, times) -> failures.merge(kind, times, Long::sum));
    }
    String line =
        label
            + ": before measuring, answers were checked row by row (count, order, checksum): "
            + right
            + " right, ";
    if (failures.isEmpty()) {
      recording.note(line + "none wrong.");
      return;
    }
    String wrong =
        failures.entrySet().stream()
            .map(kind -> kind.getValue() + " " + kind.getKey())
            .collect(Collectors.joining(", ", line, "."));
    recording.incident(wrong);
    say(wrong);
  }

  private void measure(TestBed bed, List<Scene> scenes, Mix check)
      throws IOException, InterruptedException {
    List<Step> steps =
        Step.interleaved(
            options.rounds(), scenes.stream().map(Scene::group).toList(), bed.targets().size());
    TimeLeft left =
        new TimeLeft(
            steps.stream().map(step -> time(step, scenes.get(step.scene())).whole()).toList(),
            options.limit());
    long measuringSince = System.nanoTime();
    for (int done = 0; done < steps.size() && !reporting.isOver(); done++) {
      Step step = steps.get(done);
      Scene scene = scenes.get(step.scene());
      TestBed.Target target = bed.targets().get(step.target());
      Duration measuring = since(measuringSince);
      if (!left.allowsOneMore(done, measuring, reporting.sinceBegin())) {
        recording.note(
            "The time limit ended the measurement after "
                + done
                + " of "
                + steps.size()
                + " loads.");
        return;
      }
      say(
          "[%d/%d] %s, %s, %s, %s; %s"
              .formatted(
                  done + 1,
                  steps.size(),
                  step.roundName(),
                  scene.group(),
                  scene.load(),
                  target.label(),
                  left.text(done, measuring)));
      bed.collectGarbage();
      play(step, scene, target);
      startEndedNodes(
          bed, scene.group() + ", " + scene.load() + ", " + step.roundName(), target, check);
    }
  }

  /**
   * Starts nodes that have ended. Figures of the load before are in doubt; those of later loads are
   * not.
   */
  private void startEndedNodes(TestBed bed, String when, TestBed.Target asked, Mix light)
      throws InterruptedException {
    boolean started =
        bed.startEndedNodes(
            node -> {
              String line =
                  "%s: a node ended under load from %s, whose figures there are in doubt: %s"
                      .formatted(when, asked.label(), node);
              recording.incident(line);
              say(line);
            });
    if (started) {
      say("warming up the restarted nodes");
      new ClosedLoop(asked.tables().mix(light, Tables.Levels.ONE, Check.COUNTS))
          .run(CHECKING_CLIENTS, options.warmUp(options.time()), options.seed());
    }
  }

  private LoadTime time(Step step, Scene scene) {
    return step.warmsUp() ? options.warmUp(scene.time()) : scene.time();
  }

  private void play(Step step, Scene scene, TestBed.Target target)
      throws IOException, InterruptedException {
    if (step.warmsUp()) {
      scene.play().on(target, time(step, scene), step.seed(options.seed()));
      return;
    }
    String label = target.label();
    ProxyWatch watch = target.watch();
    ProxyWatch.Reading before = watch == null ? null : watch.read();
    long start = System.nanoTime();
    Scene.Played played = scene.play().on(target, time(step, scene), step.seed(options.seed()));
    double elapsed = since(start).toNanos();
    if (!add(label, scene, step.round(), played)) {
      return;
    }
    if (watch != null && before != null) {
      ProxyWatch.Reading after = watch.read();
      recording.add(
          new ProxyUse(
              label,
              scene.group(),
              scene.load(),
              step.round(),
              after.processor().minus(before.processor()).toNanos() / elapsed,
              after.memoryMiB(),
              after.overFetchSince(before)));
    }
  }

  /** Records a load and those beside it. Returns false if the recording is closed. */
  boolean add(String label, Scene scene, int round, Scene.Played played) throws IOException {
    Map<Scene, Observed> loads = new LinkedHashMap<>();
    loads.put(scene, played.observed());
    played.beside().forEach((name, observed) -> loads.put(scene.beside(name), observed));
    for (Map.Entry<Scene, Observed> load : loads.entrySet()) {
      wrongRows |= load.getValue().hasWrongRows();
      if (!recording.add(label, load.getKey(), round, load.getValue())) {
        return false;
      }
      logs.write(label, load.getKey(), round, load.getValue());
    }
    return true;
  }

  private void describe(TestBed bed, BedSpec spec) throws InterruptedException {
    Map<String, String> versions = Machine.versions(spec.launcher());
    versions.put("Cassandra", bed.cassandraVersion());
    recording.about("versions", versions);
    recording.about("settings", settings(bed, spec));
    recording.about("targets", targets(spec));
    recording.note(
        spec.hosts().isEmpty()
            ? "The data was written once and flushed. It is small enough to be read from the page"
                + " cache."
            : "The data was written once. The evaluation did not start these nodes, so it neither"
                + " flushed the data nor refreshed the size estimates.");
    recording.note(
        spec.hosts().isEmpty()
            ? "Before each load the heaps of clients and nodes are collected, so no target pays for"
                + " the garbage of another."
            : "Before each load the clients' heap is collected, the nodes' heaps are not. A target"
                + " may pay for the garbage of the one before.");
    recording.note(
        "Clients, nodes and proxies share this machine if the nodes are on it. A failed request"
            + " counts as an error, and its time is not recorded.");
  }

  private Map<String, String> settings(TestBed bed, BedSpec spec) {
    Map<String, String> settings = new LinkedHashMap<>();
    settings.put("nodes", Integer.toString(bed.nodes()));
    settings.put("nodes are", spec.hosts().isEmpty() ? "on this machine" : "elsewhere");
    settings.put(
        "heap of a node", spec.hosts().isEmpty() ? spec.cluster().jvm().heap() : "unknown");
    options
        .nodeCpu()
        .forEach((name, text) -> settings.put(name, spec.hosts().isEmpty() ? text : "unknown"));
    settings.put("replication factor", Integer.toString(spec.replicas()));
    settings.put("partitioner", bed.partitioner());
    settings.put("tables", Integer.toString(spec.tables()));
    settings.put("rows in all", Integer.toString(spec.rows()));
    settings.put("bytes of a value", Integer.toString(Data.VALUE_BYTES));
    settings.put("counted seconds of a load", Double.toString(options.time().seconds()));
    settings.put(
        "seconds before that", Double.toString(options.time().settling().toMillis() / 1e3));
    settings.put(
        "seconds of warm-up before the first load of each group",
        Double.toString(options.warmUp(options.time()).seconds()));
    settings.put("rounds", Integer.toString(options.rounds()));
    settings.put("seed", Long.toString(spec.seed()));
    return settings;
  }

  private static Map<String, String> targets(BedSpec spec) {
    Map<String, String> targets = new LinkedHashMap<>();
    for (Variant variant : spec.variants()) {
      targets.put(
          variant.label(),
          (variant.meaning() + " " + variant.settings().replace("\n", "; ")).strip());
    }
    for (OtherEndpoint other : spec.others()) {
      targets.put(other.name(), "at " + other.address());
    }
    return targets;
  }

  private static Duration since(long nanoTime) {
    return Duration.ofNanos(System.nanoTime() - nanoTime);
  }

  private void say(String line) {
    reporting.say(line);
  }
}
