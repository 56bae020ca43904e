package io.sluice.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.protocol.internal.ProtocolConstants.ErrorCode;
import io.sluice.cluster.ClusterFailure;
import io.sluice.fake.FakeNode;
import io.sluice.fake.Flaw;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

/** The rows and the clients of the demo, at a node in memory. */
class DemoLoadTest {
  private static final int ROWS = 300;
  private static final Mix MIX = new Mix(4, 0.5, 10, ROWS);

  private final FakeNode node = FakeNode.start();
  private final CqlSession session =
      new Target(Target.CASSANDRA, List.of(node.address()), FakeNode.DATACENTER).open(MIX);
  private final DemoTable table = new DemoTable(session);
  private final StringWriter out = new StringWriter();

  @BeforeEach
  void create() {
    table.create("{'class': 'SimpleStrategy', 'replication_factor': 1}");
  }

  @AfterEach
  void close() {
    session.close();
    node.close();
  }

  private ProgressBar bar() {
    return new ProgressBar(new PrintWriter(out), false, "loading", ROWS);
  }

  @Test
  void every_row_has_a_value_of_its_own_of_a_thousand_characters() throws InterruptedException {
    table.load(ROWS, bar());

    Set<String> values = new HashSet<>();
    Set<Long> keys = new HashSet<>();
    for (Row row : session.execute("SELECT k, v FROM demo.t").all()) {
      keys.add(row.getLong("k"));
      assertThat(row.getString("v")).hasSize(1000);
      values.add(row.getString("v"));
    }
    assertThat(values).hasSize(ROWS);
    assertThat(keys).hasSize(ROWS).contains(0L, ROWS - 1L);
    assertThat(out.toString().lines()).endsWith("loading 100 %");
  }

  @Test
  void a_row_that_cannot_be_written_ends_the_load() {
    node.spoil("INSERT", 1, Flaw.error(ErrorCode.WRITE_FAILURE));

    assertThatThrownBy(() -> table.load(ROWS, bar()))
        .isInstanceOf(ClusterFailure.class)
        .hasMessageStartingWith("cannot write a row: ");
  }

  private List<RoundResult> run(Mix mix) throws InterruptedException {
    return new LoadRound(session, mix)
        .run(Target.SLUICE, Duration.ZERO, Duration.ofSeconds(1), 5, soFar -> {});
  }

  @Test
  void a_round_has_figures_of_both_classes() throws InterruptedException {
    table.load(ROWS, bar());

    assertThat(run(MIX))
        .extracting(RoundResult::readClass)
        .containsExactly(ReadClass.POINT.label(), ReadClass.RANGE.label());
    assertThat(run(MIX))
        .allSatisfy(
            each -> {
              assertThat(each.target()).isEqualTo(Target.SLUICE);
              assertThat(each.count()).isPositive();
              assertThat(each.errors()).isZero();
              assertThat(each.throughput()).isPositive();
              assertThat(each.p50Ms()).isLessThanOrEqualTo(each.p99Ms());
              assertThat(each.p99Ms()).isLessThanOrEqualTo(each.maxMs());
            });
    assertThat(node.count(DemoTable.POINT)).isPositive();
    assertThat(node.count(DemoTable.RANGE)).isPositive();
  }

  @ParameterizedTest
  @CsvSource({"1, point, range", "0, range, point"})
  void the_share_of_points_can_be_all_or_none(double share, String all, String none)
      throws InterruptedException {
    table.load(ROWS, bar());

    assertThat(run(new Mix(2, share, 10, ROWS)))
        .allSatisfy(
            each -> {
              if (each.readClass().equals(all)) {
                assertThat(each.count()).isPositive();
              } else {
                assertThat(each.readClass()).isEqualTo(none);
                assertThat(each.count() + each.errors()).isZero();
              }
            });
  }

  @Test
  void an_error_is_counted_by_its_kind_and_its_client_goes_on() throws InterruptedException {
    table.load(ROWS, bar());
    node.spoil("SELECT", 3, Flaw.error(ErrorCode.READ_FAILURE));
    List<RoundResult> results = run(new Mix(1, 1, 10, ROWS));

    assertThat(results.get(0).errors()).isEqualTo(3);
    assertThat(results.get(0).errorKinds()).containsEntry("ReadFailureException", 3L);
    assertThat(results.get(0).count()).isPositive();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "--proxies=17; --proxies 17: must be from 1 to 16",
        "--proxies=0; --proxies 0: must be from 1 to 16",
        "--warm-up=0; --warm-up 0: must be at least 1",
        "--clients=30001; --clients: 1 to 30000",
        "--point-share=1.1; --point-share: 0 to 1",
        "--max-limit=0; --max-limit: 1 to 100000",
        "--rows=0; --rows: at least 1"
      })
  void an_option_out_of_range_is_refused_before_anything_starts(String option, String message) {
    StringWriter err = new StringWriter();
    CommandLine line = DemoCommand.commandLine().setErr(new PrintWriter(err));

    assertThat(line.execute(option)).isEqualTo(1);
    assertThat(err.toString()).isEqualToIgnoringNewLines("sluice: " + message);
  }
}
