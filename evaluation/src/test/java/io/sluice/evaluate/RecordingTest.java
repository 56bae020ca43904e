package io.sluice.evaluate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.sluice.evaluate.drive.Ask;
import io.sluice.evaluate.drive.ClosedLoop;
import io.sluice.evaluate.drive.LoadTime;
import io.sluice.evaluate.drive.Observed;
import io.sluice.evaluate.drive.RequestClass;
import io.sluice.evaluate.drive.Requests;
import io.sluice.evaluate.drive.Seen;
import io.sluice.evaluate.figures.Sample;
import io.sluice.load.RequestFailure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.HdrHistogram.EncodableHistogram;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogReader;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Recordings of a load in which every third answer has wrong rows. */
class RecordingTest {
  private static final LoadTime TIME = new LoadTime(Duration.ZERO, Duration.ofMillis(40));
  private static final Scene SCENE =
      new Scene("mix 9:1", "1 client", TIME, (target, time, seed) -> null);

  @TempDir private Path temp = Path.of("");

  private final Recording recording = new Recording("scheduling", "today");

  private final AtomicInteger asked = new AtomicInteger();

  @SuppressWarnings("NullAway.Init")
  private Observed observed;

  /** Runs a load, again if it ended before an answer of each kind. */
  @BeforeEach
  void observe() throws InterruptedException {
    do {
      observed = new ClosedLoop(random -> everyThirdIsWrong()).run(1, TIME, 1);
    } while (ranges().failures().isEmpty() || ranges().micros().getTotalCount() == 0);
  }

  private Ask everyThirdIsWrong() {
    return new Ask(
        RequestClass.RANGE,
        () ->
            CompletableFuture.supplyAsync(
                () -> asked.incrementAndGet() % 3 == 0 ? RequestFailure.WRONG_ROWS : null));
  }

  private Seen ranges() {
    return observed.of(RequestClass.RANGE);
  }

  @Test
  void a_sample_has_times_of_right_answers_and_counts_the_others_by_kind() {
    assertThat(recording.add("direct", SCENE, 2, observed)).isTrue();

    Histogram micros = ranges().micros();
    assertThat(recording.run().samples())
        .singleElement()
        .satisfies(
            sample -> {
              assertThat(sample.target()).isEqualTo("direct");
              assertThat(sample.round()).isEqualTo(2);
              assertThat(sample.requests()).isEqualTo(RequestClass.RANGE.label());
              assertThat(sample.count()).isEqualTo(micros.getTotalCount()).isPositive();
              assertThat(sample.errors()).isPositive();
              assertThat(sample.errorKinds()).isEqualTo(Map.of("WRONG_ROWS", sample.errors()));
              assertThat(sample.meanMs()).isCloseTo(micros.getMean() / 1000, within(1e-9));
              assertThat(sample.perSecond())
                  .isCloseTo(ranges().inTime() / TIME.seconds(), within(1e-6));
            });
  }

  @Test
  void results_after_the_end_do_not_count() {
    recording.note("before");
    recording.close();

    assertThat(recording.add("direct", SCENE, 1, observed)).isFalse();
    recording.note("after");
    recording.incident("after");

    assertThat(recording.run().samples()).isEmpty();
    assertThat(recording.run().notes()).containsExactly("before");
    assertThat(recording.run().incidents()).isEmpty();
  }

  @Test
  void whole_histograms_are_read_back_from_their_file() throws IOException {
    new HdrLogs(temp.resolve("hdr")).write("Sluice", SCENE, 3, observed);

    Path file = temp.resolve("hdr").resolve("mix-9-1-1-client-sluice-3.hlog");
    assertThat(file).exists();
    try (HistogramLogReader reader = new HistogramLogReader(Files.newInputStream(file))) {
      EncodableHistogram read = reader.nextIntervalHistogram();
      assertThat(read.getTag()).isEqualTo(RequestClass.RANGE.label());
      assertThat(((Histogram) read).getTotalCount()).isEqualTo(ranges().micros().getTotalCount());
      assertThat(reader.nextIntervalHistogram()).isNull();
    }
  }

  @Test
  void a_class_that_was_not_asked_for_has_no_sample() {
    recording.add("direct", SCENE, 1, observed);

    assertThat(recording.run().samples())
        .extracting(Sample::requests)
        .doesNotContain(RequestClass.SINGLE.label(), RequestClass.WRITE.label());
  }

  @Test
  void a_class_whose_name_has_a_blank_is_read_back_too() throws Exception {
    Requests both =
        random ->
            new Ask(
                random.nextInt(2) == 0 ? RequestClass.NARROW : RequestClass.WIDE,
                () -> CompletableFuture.supplyAsync(() -> null));
    Observed partitions;
    do {
      partitions = new ClosedLoop(both).run(2, TIME, 1);
    } while (partitions.of(RequestClass.NARROW).micros().getTotalCount() == 0
        || partitions.of(RequestClass.WIDE).micros().getTotalCount() == 0);
    new HdrLogs(temp).write("direct", SCENE, 1, partitions);

    try (HistogramLogReader reader =
        new HistogramLogReader(
            Files.newInputStream(temp.resolve("mix-9-1-1-client-direct-1.hlog")))) {
      for (RequestClass of : List.of(RequestClass.NARROW, RequestClass.WIDE)) {
        Histogram read = (Histogram) reader.nextIntervalHistogram();
        assertThat(read.getTag()).isEqualTo(HdrLogs.tag(of)).doesNotContain(" ");
        assertThat(read.getTotalCount()).isEqualTo(partitions.of(of).micros().getTotalCount());
      }
    }
  }
}
