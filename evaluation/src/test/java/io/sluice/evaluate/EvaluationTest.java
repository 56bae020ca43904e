package io.sluice.evaluate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import com.datastax.oss.driver.api.core.DriverTimeoutException;
import io.sluice.evaluate.drive.Ask;
import io.sluice.evaluate.drive.ClosedLoop;
import io.sluice.evaluate.drive.LoadTime;
import io.sluice.evaluate.drive.Observed;
import io.sluice.evaluate.drive.RequestClass;
import io.sluice.evaluate.drive.Requests;
import io.sluice.evaluate.figures.Run;
import io.sluice.evaluate.figures.Sample;
import io.sluice.load.RequestFailure;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

/** The records of an evaluation, of loads whose targets are functions. */
class EvaluationTest {
  private static final LoadTime TIME = new LoadTime(Duration.ZERO, Duration.ofMillis(40));
  private static final Scene TENANTS =
      new Scene("tenants", "8 clients", TIME, (target, time, seed) -> null);

  @TempDir private Path dir = Path.of("");

  private final StringWriter out = new StringWriter();

  private Evaluation evaluation() {
    TableOptions options =
        CommandLine.populateCommand(new TableOptions(), "--out=" + dir.resolve("report"));
    return new Evaluation("workloads", options, new PrintWriter(out));
  }

  private static Requests right() {
    return random -> new Ask(RequestClass.SINGLE, () -> CompletableFuture.supplyAsync(() -> null));
  }

  private static Requests late() {
    return random ->
        new Ask(
            RequestClass.RANGE,
            () -> CompletableFuture.failedFuture(new DriverTimeoutException("late")));
  }

  /** Runs the load, again if it ended before an answer and a failure. */
  private static Scene.Played flooded() throws InterruptedException {
    Scene.Played played;
    do {
      played = CellScenes.besideFlood(late(), right(), 8, TIME, 1);
    } while (played.observed().of(RequestClass.SINGLE).micros().getTotalCount() == 0
        || played.beside().values().stream()
            .allMatch(flood -> flood.of(RequestClass.RANGE).failures().isEmpty()));
    return played;
  }

  @Test
  void a_flood_beside_a_load_is_a_load_of_its_own() throws Exception {
    Evaluation evaluation = evaluation();

    assertThat(evaluation.add("Sluice", TENANTS, 2, flooded())).isTrue();
    List<Sample> samples = evaluation.recording().run().samples();
    assertThat(samples)
        .extracting(Sample::target, Sample::group, Sample::load, Sample::round)
        .containsExactly(
            tuple("Sluice", "tenants", "8 clients", 2),
            tuple("Sluice", "tenants", "flood of 64 clients", 2));
    assertThat(samples.get(0).errors()).isZero();
    assertThat(samples.get(1).errorKinds()).containsOnlyKeys("TIMEOUT");
    assertThat(samples.get(1).perSecond()).isZero();
    assertThat(dir.resolve("report").resolve("hdr")).isDirectoryContaining("glob:**8-clients*");
  }

  /** Runs a load with answers that have this fault; all are right if it is null. */
  private static Observed observed(@Nullable RequestFailure fault) throws InterruptedException {
    Requests requests =
        random -> new Ask(RequestClass.RANGE, () -> CompletableFuture.supplyAsync(() -> fault));
    Observed observed;
    do {
      observed = new ClosedLoop(requests).run(1, TIME, 1);
    } while (observed.of(RequestClass.RANGE).micros().getTotalCount() == 0
        && observed.of(RequestClass.RANGE).failures().isEmpty());
    return observed;
  }

  @ParameterizedTest
  @CsvSource({"WRONG_ROWS, 1", "SHORT_READ, 1", "TIMEOUT, 0"})
  void answers_that_fail_in_the_check_are_printed_and_come_first(RequestFailure fault, int code)
      throws Exception {
    Evaluation evaluation = evaluation();
    evaluation.checked("Sluice", observed(fault));

    Run run = evaluation.recording().run();
    assertThat(run.notes()).isEmpty();
    assertThat(run.incidents())
        .singleElement()
        .asString()
        .startsWith("Sluice: before measuring, answers were checked row by row")
        .contains(" 0 right, ")
        .endsWith(" " + fault + ".");
    assertThat(out.toString().lines()).containsExactlyElementsOf(run.incidents());
    assertThat(evaluation.exitCode()).isEqualTo(code);
  }

  @Test
  void right_answers_in_the_check_are_a_note() throws Exception {
    Evaluation evaluation = evaluation();
    evaluation.checked("Sluice", observed(null));

    assertThat(evaluation.recording().run().incidents()).isEmpty();
    assertThat(evaluation.recording().run().notes())
        .singleElement()
        .asString()
        .endsWith(" right, none wrong.");
    assertThat(out.toString()).isEmpty();
    assertThat(evaluation.exitCode()).isZero();
  }

  @Test
  void wrong_rows_in_a_load_give_exit_code_1() throws Exception {
    Evaluation evaluation = evaluation();
    evaluation.checked("Sluice", observed(null));
    evaluation.add("Sluice", TENANTS, 1, Scene.Played.alone(observed(RequestFailure.WRONG_ROWS)));

    assertThat(evaluation.exitCode()).isEqualTo(1);
  }
}
