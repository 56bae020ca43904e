package io.sluice.evaluate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.evaluate.figures.Run;
import io.sluice.evaluate.figures.RunFiles;
import io.sluice.evaluate.study.Outcome;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Reports of measurements that end well, early, or at once. */
class ReportingTest {
  private static final ZonedDateTime NOW = ZonedDateTime.of(2026, 2, 3, 4, 5, 6, 0, ZoneOffset.UTC);

  @TempDir private Path dir = Path.of("");

  private final StringWriter out = new StringWriter();

  private Reporting reporting() {
    return new Reporting("join", dir.resolve("report"), NOW, new PrintWriter(out));
  }

  private static void measure(Reporting reporting, double seconds) {
    Outcome.Reading reading = new Outcome.Reading("start to NORMAL", "s", seconds);
    Outcome outcome = new Outcome(List.of(), 1, List.of(reading), List.of());
    reporting.recording().add("stock", "ssd", "no load", 1, outcome);
  }

  private Run read() throws IOException {
    return RunFiles.read(dir.resolve("report"));
  }

  @Test
  void the_report_has_the_time_the_machine_and_the_measures() throws Exception {
    Reporting reporting = reporting();
    reporting.during(
        () -> {
          assertThat(reporting.isOver()).isFalse();
          measure(reporting, 40);
        });

    assertThat(reporting.isOver()).isTrue();
    assertThat(read().kind()).isEqualTo("join");
    assertThat(read().began()).isEqualTo("2026-02-03 04:05:06 Z");
    assertThat(read().measures()).hasSize(1);
    assertThat(read().incidents()).isEmpty();
    assertThat(read().about().get("machine"))
        .containsKeys("processor", "cores", "memory", "system", "load average before the start");
    assertThat(out.toString().lines())
        .last()
        .isEqualTo("report: " + dir.resolve("report").resolve("report.html"));
  }

  @Test
  void a_measurement_that_fails_keeps_its_results_with_the_reason() throws Exception {
    Reporting reporting = reporting();

    assertThatThrownBy(
            () ->
                reporting.during(
                    () -> {
                      measure(reporting, 40);
                      throw new IOException("the disk is full");
                    }))
        .isInstanceOf(IOException.class);
    assertThat(read().incidents()).containsExactly("The evaluation ended early: the disk is full");
    assertThat(out.toString()).contains("- The evaluation ended early: the disk is full");
  }

  @Test
  void a_failure_without_a_message_has_the_name_of_its_kind() throws Exception {
    Reporting reporting = reporting();

    assertThatThrownBy(
            () ->
                reporting.during(
                    () -> {
                      measure(reporting, 40);
                      throw new InterruptedException();
                    }))
        .isInstanceOf(InterruptedException.class);
    assertThat(read().incidents())
        .containsExactly("The evaluation ended early: InterruptedException");
  }

  @Test
  void without_a_measure_there_is_no_report() throws Exception {
    Reporting reporting = reporting();
    reporting.during(() -> reporting.recording().note("Nothing was measured."));

    assertThat(dir).isEmptyDirectory();
    assertThat(out.toString()).isEmpty();
    assertThat(reporting.isOver()).isTrue();
  }

  @Test
  void what_is_measured_after_the_report_does_not_count() throws Exception {
    Reporting reporting = reporting();
    reporting.during(() -> measure(reporting, 40));
    measure(reporting, 90);

    assertThat(reporting.recording().run().measures()).hasSize(1);
    assertThat(read().measures()).hasSize(1);
  }
}
