package io.sluice.bench;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.protocol.internal.ProtocolConstants.ErrorCode;
import io.sluice.bench.LoadRounds.Round;
import io.sluice.fake.FakeNode;
import io.sluice.fake.Flaw;
import io.sluice.rawcql.Pipeline;
import io.sluice.rawcql.RawCql;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

/** The small measurements at two nodes in memory. */
class BenchCommandTest {
  private static final String SELECT = "SELECT v FROM sluice_bench.t WHERE k = ?";
  private static final String INSERT = "INSERT INTO sluice_bench.t (k, v) VALUES (?, 'one row')";

  private final FakeNode first = FakeNode.start();
  private final FakeNode second = first.another();
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @AfterEach
  void close() {
    first.close();
    second.close();
  }

  private static String host(FakeNode node) {
    return "127.0.0.1:" + node.address().getPort();
  }

  private int execute(String... arguments) {
    CommandLine line = BenchCommand.commandLine();
    return line.setOut(new PrintWriter(out)).setErr(new PrintWriter(err)).execute(arguments);
  }

  private int latency() {
    return execute(
        "latency",
        "--hosts=" + host(first) + "," + host(second),
        "--protocol=4",
        "--requests=100",
        "--block=30");
  }

  @Test
  void latency_counts_the_requests_after_the_first_block_at_each_host() {
    assertThat(latency()).as(err::toString).isZero();

    assertThat(first.count(SELECT)).isEqualTo(130);
    assertThat(second.count(SELECT)).isEqualTo(130);
    List<String> lines = out.toString().lines().toList();
    assertThat(lines).hasSize(3);
    assertThat(lines.get(0)).matches("host +p50 us +p90 us +p99 us +mean us +max us +p50 x");
    assertThat(lines.get(1)).startsWith(host(first) + " ").endsWith(" 1.00");
    assertThat(lines.get(2)).startsWith(host(second) + " ");
    assertThat(first.has("sluice_bench.t")).as("the table afterwards").isFalse();
  }

  @Test
  void numbers_have_a_point_in_every_locale() {
    Locale before = Locale.getDefault();
    Locale.setDefault(Locale.GERMANY);
    try {
      assertThat(latency()).isZero();
    } finally {
      Locale.setDefault(before);
    }
    assertThat(out.toString()).contains("1.00").doesNotContain(",");
  }

  @Test
  void load_writes_every_row_and_shows_the_rounds_after_the_first() {
    assertThat(
            execute(
                "load",
                "--hosts=" + host(first),
                "--protocol=4",
                "--connections=2",
                "--in-flight=4",
                "--seconds=1",
                "--rounds=1",
                "--rows=10",
                "--writes"))
        .as(err::toString)
        .isZero();

    assertThat(first.count(INSERT)).as("rows and requests").isGreaterThan(10 + 2 * 2 * 4);
    assertThat(first.count(SELECT)).isZero();
    List<String> lines = out.toString().lines().toList();
    assertThat(lines).hasSize(2);
    assertThat(lines.get(1))
        .matches(host(first) + " +[0-9]+ +1\\.00 +[0-9]+ +1\\.00 +[0-9]+ +[0-9.]+ +([0-9]+)-\\1");
    assertThat(first.has("sluice_bench.t")).as("the table afterwards").isFalse();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "latency --requests=0; --requests and --block: at least 1",
        "latency --block=0; --requests and --block: at least 1",
        "latency --protocol=3; --protocol: 4 or 5",
        "load --in-flight=0; --in-flight: from 1 to 32768",
        "load --in-flight=32769; --in-flight: from 1 to 32768",
        "load --rounds=0; --connections, --seconds, --rounds and --rows: at least 1",
        "load --rows=0; --connections, --seconds, --rounds and --rows: at least 1"
      })
  void an_option_out_of_range_is_named(String arguments, String message) {
    assertThat(execute((arguments + " --hosts=" + host(first)).split(" ", -1))).isEqualTo(1);

    assertThat(err.toString()).isEqualToIgnoringNewLines("sluice: " + message);
  }

  @Test
  void a_host_that_is_down_is_named() {
    second.close();

    assertThat(latency()).isEqualTo(1);
    assertThat(err.toString()).startsWith("sluice: ").contains(host(second));
    assertThat(first.has("sluice_bench.t")).as("the table afterwards").isFalse();
  }

  @Test
  void an_error_of_a_host_under_load_is_shown_with_its_reason() {
    first.spoil(SELECT, 1, Flaw.error(ErrorCode.OVERLOADED));

    assertThat(
            execute("load", "--hosts=" + host(first), "--protocol=4", "--in-flight=4", "--rows=10"))
        .isEqualTo(1);

    assertThat(err.toString()).isEqualToIgnoringNewLines("sluice: a fault of the test (code 1001)");
  }

  @Test
  void the_hosts_are_required() {
    assertThat(execute("latency")).isEqualTo(2);
    assertThat(execute("load", "--hosts=127.0.0.1")).isEqualTo(1);
    assertThat(err.toString()).contains("--hosts: '127.0.0.1' is not HOST:PORT");
  }

  @Test
  void an_unknown_processor_time_is_a_dash() {
    List<Round> unknown = List.of(new Round(100, 20, 30, Double.NaN));

    assertThat(LoadCommand.line("h:1", unknown, unknown))
        .matches("h:1 +100 +1\\.00 +20 +1\\.00 +30 +- +100-100");
    assertThat(LoadCommand.line("h:1", List.of(new Round(100, 20, 30, 4.56)), unknown))
        .matches("h:1 .* 30 +4\\.6 +100-100");
  }

  @Test
  void the_processor_time_of_a_host_elsewhere_is_unknown() throws IOException {
    BenchTable.Connector connector = address -> RawCql.connect(address, 4, 20_000, "", "");
    try (BenchTable table =
        BenchTable.at(first.address(), connector, new PrintWriter(err), () -> {})) {
      table.create();
      Pipeline connection = table.pipelineAt(first.address(), false, 1, 1);
      ProcessorTime elsewhere = ProcessorTime.of(first.address(), Path.of("no proc"));
      try (LoadRounds load = new LoadRounds(List.of(connection), elsewhere)) {
        load.run(1, true);

        assertThat(load.rounds().get(0).cpuMicros()).isNaN();
      }
    }
  }

  @ParameterizedTest
  @CsvSource({"5, 5", "5 1, 3", "9 1 4, 4", "8 2 4 1, 3"})
  void the_median_is_that_of_the_rounds_in_any_order(String perSecond, double median) {
    List<Round> rounds = new ArrayList<>();
    for (String each : perSecond.split(" ", -1)) {
      rounds.add(new Round(Double.parseDouble(each), 0, 0, 0));
    }

    assertThat(LoadCommand.median(rounds, Round::perSecond)).isEqualTo(median);
  }
}
