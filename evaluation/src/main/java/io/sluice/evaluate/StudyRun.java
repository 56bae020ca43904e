package io.sluice.evaluate;

import io.sluice.cluster.ProxyProcess;
import io.sluice.evaluate.disk.DiskFailure;
import io.sluice.evaluate.study.Bed;
import io.sluice.evaluate.study.Outcome;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * One study of the host: measures its beds one after another, and writes the report. In each bed,
 * all variants take turns under each load, in each round.
 */
final class StudyRun {
  private final StudyOptions options;
  private final Reporting reporting;
  private final Map<String, String> settings = new LinkedHashMap<>();

  StudyRun(String kind, StudyOptions options, PrintWriter out) {
    ZonedDateTime now = ZonedDateTime.now(ZoneId.systemDefault());
    this.options = options;
    this.reporting = new Reporting(kind, options.out(kind, now), now, out);
  }

  /**
   * Measures all beds. A bed without its disk becomes a note in the report.
   *
   * @param restrictions restrictions by this machine or user, as sentences for the report
   * @param command the command line, for the report
   */
  void run(List<Bed.Plan> beds, List<String> restrictions, String command)
      throws IOException, InterruptedException {
    reporting.during(
        () -> {
          restrictions.forEach(each -> notes().note(each));
          restrictions.forEach(reporting::say);
          Map<String, String> versions = Machine.versions(ProxyProcess.launcher().orElse(null));
          versions.put("Cassandra", options.node().cassandra());
          reporting.recording().about("versions", versions);
          settings.put("command", command);
          settings.put("rounds", Integer.toString(options.rounds()));
          settings.put("seed", Long.toString(options.seed()));
          settings.put("heap of a node", options.node().jvm().heap());
          reporting.recording().about("settings", settings);
          for (int i = 0; i < beds.size() && !reporting.isOver(); i++) {
            Bed.Plan bed = beds.get(i);
            try {
              measure(bed, endOfShare(beds.size(), i));
            } catch (DiskFailure e) {
              // The other beds may have other disks.
              String note = bed.group() + ": " + e.getMessage() + ". No more is measured there.";
              notes().note(note);
              reporting.say(note);
            }
          }
        });
  }

  /** Returns the time by which the beds up to this one must have ended: their part of the limit. */
  private Duration endOfShare(int beds, int bed) {
    Duration limit = options.limit();
    return limit == null ? Duration.ofDays(1000) : limit.multipliedBy(bed + 1).dividedBy(beds);
  }

  private void measure(Bed.Plan plan, Duration until) throws InterruptedException {
    try (Bed bed = plan.open(notes())) {
      List<String> loads = bed.loads();
      List<Step> steps =
          Step.interleaved(options.rounds(), loads, bed.targets().size()).stream()
              .filter(step -> !step.warmsUp())
              .toList();
      TimeLeft left = new TimeLeft(Collections.nCopies(steps.size(), plan.step()), until);
      long since = System.nanoTime();
      for (int done = 0; done < steps.size() && !reporting.isOver(); done++) {
        Step step = steps.get(done);
        Duration measuring = Duration.ofNanos(System.nanoTime() - since);
        if (!left.allowsOneMore(done, measuring, reporting.sinceBegin())) {
          notes()
              .note(
                  "%s: the time limit ended the measurement after %d of %d steps."
                      .formatted(plan.group(), done, steps.size()));
          return;
        }
        String target = bed.targets().get(step.target());
        String load = loads.get(step.scene());
        reporting.say(
            "[%d/%d] %s, %s, %s, %s; %s"
                .formatted(
                    done + 1,
                    steps.size(),
                    step.roundName(),
                    plan.group(),
                    load,
                    target,
                    left.text(done, measuring)));
        Outcome outcome = bed.play(step.scene(), step.target(), step.seed(options.seed()));
        reporting.recording().add(target, plan.group(), load, step.round(), outcome);
      }
    }
  }

  private Bed.Notes notes() {
    return new Bed.Notes() {
      @Override
      public void say(String line) {
        reporting.say(line);
      }

      @Override
      public void note(String sentence) {
        reporting.recording().note(sentence);
      }

      @Override
      public void setting(String name, String value) {
        settings.put(name, value);
        reporting.recording().about("settings", new LinkedHashMap<>(settings));
      }
    };
  }
}
