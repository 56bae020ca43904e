package io.sluice.torture;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.torture.check.Call;
import io.sluice.torture.check.Disturbance;
import io.sluice.torture.check.Failure;
import io.sluice.torture.check.History;
import io.sluice.torture.check.Level;
import io.sluice.torture.check.Operation;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

/** The command line of torture, without nodes: it judges histories, and refuses options. */
class TortureCommandTest {
  @TempDir private Path dir = Path.of("");

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private int execute(String... arguments) {
    CommandLine line = TortureCommand.commandLine();
    line.setOut(new PrintWriter(out)).setErr(new PrintWriter(err));
    return line.execute(arguments);
  }

  /** Writes a history in which a value is written, and read as {@code seen}. */
  private Path history(long seen) throws IOException {
    Path file = dir.resolve("history.jsonl");
    HistoryFile.write(
        new History(
            2,
            List.of(
                new Operation.Write(new Call(0, 0, 10, 20, null), 7, 70),
                new Operation.Read(new Call(1, 1, 30, 40, null), Level.QUORUM, 7, seen)),
            List.of(),
            List.of(new Disturbance("kill -9 node 1", 0, 50, false))),
        file);
    return file;
  }

  @Test
  void a_right_history_is_judged_with_exit_code_0() throws IOException {
    Path file = history(70);

    assertThat(execute("--judge", file.toString())).isZero();
    assertThat(out.toString())
        .contains(file + ": 2 requests, 0 failed; 0 scans, 0 complete; 1 fault; 0 violations");
    assertThat(dir.resolve("report-again.txt")).content().contains("kill -9 node 1");
  }

  @Test
  void a_history_with_a_violation_is_judged_with_exit_code_1() throws IOException {
    Path file = history(Operation.ABSENT);

    assertThat(execute("--judge", file.toString())).isEqualTo(1);
    assertThat(out.toString())
        .contains("1 violation {VALUES=1}")
        .contains("  VALUES: an acknowledged write is not read: key 7, value 0");
    assertThat(dir.resolve("report-again.txt"))
        .content()
        .contains("1. VALUES: ", "client 1  Read[");
  }

  @Test
  void the_report_of_the_run_stays_beside_that_of_a_second_judgement() throws IOException {
    Path first = Files.writeString(dir.resolve("report.txt"), "seed 7, begun at noon");

    execute("--judge", history(70).toString());

    assertThat(first).hasContent("seed 7, begun at noon");
  }

  @Test
  void errors_have_the_grace_of_ten_seconds_after_a_fault() throws IOException {
    Path file = dir.resolve("history.jsonl");
    Failure timeout = new Failure(Failure.Kind.TIMEOUT, "timed out");
    long second = 1_000_000_000;
    for (long late : List.of(9 * second, 11 * second)) {
      Call call = new Call(0, 0, second + late, second + late + 1, timeout);
      HistoryFile.write(
          new History(
              1,
              List.of(new Operation.Write(call, 7, 70)),
              List.of(),
              List.of(new Disturbance("pause node 1", 0, second, false))),
          file);
      assertThat(execute("--judge", file.toString())).isEqualTo(late < 10 * second ? 0 : 1);
    }
  }

  @Test
  void a_file_that_is_no_history_is_refused_in_one_line() throws IOException {
    Path file = Files.writeString(dir.resolve("text.jsonl"), "no history\n");

    assertThat(execute("--judge", file.toString())).isEqualTo(1);
    assertThat(err.toString()).startsWith("sluice: ");
    assertThat(execute("--judge", dir.resolve("none").toString())).isEqualTo(1);
    assertThat(err.toString()).contains("none");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "--direct --nodes=2; --nodes must be 3 to 7: a majority of three replicas stays",
        "--direct --seconds=9; --seconds must be at least 10",
        "--direct --homes; --homes must have at least two --proxies",
        "--proxies=0; --proxies must be 1 to 8; without a proxy: --direct instead",
        "--direct --seeds=5..1; --seeds: '5..1' is not a range like 1..20"
      },
      quoteCharacter = '"')
  void an_option_out_of_range_is_refused_before_anything_starts(String arguments, String start) {
    assertThat(execute(arguments.split(" ", -1))).isEqualTo(1);
    assertThat(err.toString()).startsWith("sluice: " + start);
    assertThat(out.toString()).isEmpty();
  }

  @Test
  void an_unknown_option_is_wrong_usage() {
    assertThat(execute("--nothing")).isEqualTo(2);
  }
}
