package io.sluice.evaluate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.cluster.ClusterFailure;
import io.sluice.evaluate.disk.DiskFailure;
import io.sluice.evaluate.figures.Measure;
import io.sluice.evaluate.figures.Run;
import io.sluice.evaluate.figures.RunFiles;
import io.sluice.evaluate.study.Bed;
import io.sluice.evaluate.study.Outcome;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** Runs studies with beds that record their calls. */
class StudyRunTest {
  @TempDir private Path temp = Path.of("");

  private RuntimeException failure = new ClusterFailure("the node has ended");
  private final List<String> played = new ArrayList<>();
  private final StringWriter said = new StringWriter();

  /**
   * Returns a bed with two loads and two variants.
   *
   * @param failsAt number of the step that fails, from 1 on; 0 for none
   */
  private Bed.Plan bed(String group, Duration step, int failsAt) {
    return new Bed.Plan() {
      @Override
      public String group() {
        return group;
      }

      @Override
      public Duration step() {
        return step;
      }

      @Override
      public Bed open(Bed.Notes notes) {
        played.add("open " + group);
        notes.setting("disk of " + group, "none");
        return new PlayedBed(group, failsAt);
      }
    };
  }

  private final class PlayedBed implements Bed {
    private final String group;
    private final int failsAt;
    private int steps;

    PlayedBed(String group, int failsAt) {
      this.group = group;
      this.failsAt = failsAt;
    }

    @Override
    public List<String> loads() {
      return List.of("light", "heavy");
    }

    @Override
    public List<String> targets() {
      return List.of("stock", "ours");
    }

    @Override
    public Outcome play(int load, int target, long seed) {
      steps++;
      if (steps == failsAt) {
        throw failure;
      }
      played.add(group + " " + loads().get(load) + " " + targets().get(target));
      return new Outcome(
          List.of(), 1, List.of(new Outcome.Reading("start to NORMAL", "s", steps)), List.of());
    }

    @Override
    public void close() {
      played.add("close " + group);
    }
  }

  private void run(List<Bed.Plan> beds, String... arguments) throws Exception {
    StudyOptions options = new StudyOptions();
    CommandLine line = new CommandLine(CommandLine.Model.CommandSpec.create());
    line.addMixin("options", options);
    line.parseArgs(arguments);
    new StudyRun("join", options, new PrintWriter(said))
        .run(beds, List.of("Something takes root."), "./sluice evaluate join");
  }

  @Test
  void each_round_puts_all_variants_under_each_load_in_turn() throws Exception {
    run(
        List.of(bed("a", Duration.ZERO, 0), bed("b", Duration.ZERO, 0)),
        "--rounds=2",
        "--out=" + temp);

    assertThat(played)
        .startsWith(
            "open a",
            "a light stock",
            "a light ours",
            "a heavy ours",
            "a heavy stock",
            "a light ours",
            "a light stock",
            "a heavy stock",
            "a heavy ours",
            "close a",
            "open b")
        .hasSize(20);
  }

  @Test
  void the_report_has_the_numbers_the_settings_and_the_restrictions() throws Exception {
    run(List.of(bed("a", Duration.ZERO, 0)), "--rounds=1", "--out=" + temp);

    Run run = RunFiles.read(temp);
    assertThat(run.measures())
        .contains(new Measure("stock", "a", "light", 1, "start to NORMAL", "s", 1));
    assertThat(run.notes()).contains("Something takes root.");
    assertThat(run.about().get("settings"))
        .containsEntry("disk of a", "none")
        .containsEntry("command", "./sluice evaluate join");
    assertThat(said.toString()).contains("Something takes root.", "[1/4] round 1, a, light, stock");
  }

  @Test
  void a_failure_keeps_finished_steps_and_stops_the_nodes() {
    assertThatThrownBy(
            () -> run(List.of(bed("a", Duration.ZERO, 3)), "--rounds=1", "--out=" + temp))
        .isInstanceOf(ClusterFailure.class);

    assertThat(played).endsWith("close a");
    assertThat(temp.resolve("results.json")).content().contains("the node has ended", "light");
  }

  @Test
  void a_bed_whose_disk_cannot_be_created_is_a_note_and_the_others_are_measured() throws Exception {
    failure = new DiskFailure("cannot create the disk: no loop device");
    run(
        List.of(bed("a", Duration.ZERO, 3), bed("b", Duration.ZERO, 0)),
        "--rounds=1",
        "--out=" + temp);

    String note = "a: cannot create the disk: no loop device. No more is measured there.";
    assertThat(played).containsSubsequence("a light ours", "close a", "open b", "close b");
    assertThat(RunFiles.read(temp).notes()).contains(note);
    assertThat(said.toString()).contains(note);
  }

  @Test
  void the_time_limit_is_divided_between_beds() throws Exception {
    run(
        List.of(bed("a", Duration.ofHours(3), 0), bed("b", Duration.ZERO, 0)),
        "--time-limit=1",
        "--rounds=1",
        "--out=" + temp);

    assertThat(played).startsWith("open a", "close a", "open b", "b light stock");
    assertThat(RunFiles.read(temp).notes())
        .contains("a: the time limit ended the measurement after 0 of 4 steps.");
  }

  @Test
  void a_missing_agent_is_named() {
    StudyOptions options = new StudyOptions();
    CommandLine line = new CommandLine(CommandLine.Model.CommandSpec.create());
    line.addMixin("options", options);
    line.parseArgs("--agent=" + temp.resolve("none.jar"));

    assertThatThrownBy(options::agent)
        .isInstanceOf(ClusterFailure.class)
        .hasMessageContaining("none.jar");
  }
}
