package io.sluice.evaluate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.sluice.evaluate.bed.BedSpec;
import io.sluice.evaluate.bed.OtherEndpoint;
import io.sluice.evaluate.bed.Variant;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** The cells of the matrix, and the options that select them. */
class MatrixOptionsTest {
  private static final Path OUT = Path.of("report");

  private static MatrixOptions options(String... given) {
    return CommandLine.populateCommand(new MatrixOptions(), given);
  }

  private static List<String> loads(Row row, boolean quick) {
    return row.cells(quick).stream().map(Cell::load).toList();
  }

  @Test
  void without_options_every_row_is_measured() {
    assertThat(options().rowsOfMatrix()).containsExactly(Row.values());
    assertThat(options().cells()).doesNotHaveDuplicates();
    assertThat(options("--quick").cells()).extracting(Cell::row).containsOnly(Row.values());
  }

  @Test
  void point_reads_have_loads_with_few_and_many_clients() {
    assertThat(loads(Row.POINT, false))
        .containsExactly("4 clients", "32 clients", "250 clients", "1000 clients");
    assertThat(loads(Row.POINT, true)).containsExactly("32 clients", "250 clients");
    assertThat(loads(Row.COUNT, true)).containsExactly("1 client");
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void the_mix_of_nine_to_one_also_has_open_loops(boolean quick) {
    assertThat(loads(Row.MIX_9_1, quick)).endsWith("open, 50 %", "open, 80 %", "open, 150 %");
    assertThat(Row.MIX_9_1.cells(quick)).last().satisfies(c -> assertThat(c.isOpen()).isTrue());
    assertThat(Row.MIX_5_5.cells(quick)).noneMatch(Cell::isOpen);
  }

  /** 3 rounds of two targets and the warm-ups, and the same time again between the loads. */
  @Test
  void all_cells_of_a_quick_run_end_within_its_limit() {
    MatrixOptions quick = options("--quick");
    long rows = quick.cells().stream().map(Cell::row).distinct().count() + 1;
    long loads = quick.cells().size() * 2L * quick.rounds() + rows * 2;

    assertThat(quick.limit()).isLessThan(Duration.ofMinutes(12));
    assertThat(quick.time().whole().multipliedBy(loads))
        .isLessThan(Duration.ofMinutes(12).dividedBy(2));
  }

  @ParameterizedTest
  @EnumSource(Row.class)
  void a_quick_run_has_no_load_that_a_long_one_has_not(Row row) {
    assertThat(row.cells(false)).containsAll(row.cells(true));
  }

  @Test
  void rows_are_picked_by_their_names_and_stay_in_the_order_of_the_matrix() {
    assertThat(options("--rows", "in200, point,wide").rowsOfMatrix())
        .containsExactly(Row.POINT, Row.IN_200, Row.WIDE);
    assertThat(options("--rows", "scan").cells()).extracting(Cell::row).containsOnly(Row.SCAN);
  }

  @Test
  void an_unknown_row_is_refused_with_the_known_ones() {
    assertThatThrownBy(() -> options("--rows", "point,scans").rowsOfMatrix())
        .hasMessageStartingWith("--rows: 'scans' is none of point, write, read-write, mix91,");
  }

  @Test
  void the_rows_have_names_of_their_own() {
    List<String> labels = List.of(Row.values()).stream().map(Row::label).toList();
    assertThat(labels).doesNotHaveDuplicates().allMatch(label -> label.matches("[a-z0-9-]+"));
  }

  @Test
  void direct_comes_first_because_open_loops_are_shares_of_its_capacity() {
    assertThat(options().spec(OUT).variants()).containsExactly(Variant.DIRECT, Variant.SLUICE);
  }

  @Test
  void roles_need_nodes_with_login() {
    assertThat(options("--rows", "tenants").spec(OUT).cluster().config().auth()).isTrue();
    assertThat(options("--rows", "point").spec(OUT).cluster().config().auth()).isFalse();
  }

  @Test
  void with_running_nodes_there_are_no_roles() {
    MatrixOptions all = options("--hosts", "127.0.0.1:9042");
    assertThat(all.rowsOfMatrix()).hasSize(Row.values().length - 1).doesNotContain(Row.TENANTS);
    assertThat(all.leftOut())
        .singleElement()
        .asString()
        .startsWith("The row tenants is left out: tenants needs nodes");
    assertThat(options().leftOut()).isEmpty();
    assertThat(options("--hosts", "127.0.0.1:9042", "--rows", "point").leftOut()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"tenants", "point,tenants"})
  void a_selected_row_is_never_left_out(String rows) {
    assertThatThrownBy(() -> options("--hosts", "127.0.0.1:9042", "--rows", rows).rowsOfMatrix())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("tenants needs nodes that the evaluation starts");
  }

  @Test
  void nodes_have_memory_for_the_small_tables_if_these_are_measured() {
    BedSpec small = options("--rows", "small-tables").spec(OUT);
    BedSpec point = options("--rows", "point").spec(OUT);

    assertThat(small.cluster().jvm().heap()).isEqualTo("1g");
    assertThat(options("--rows", "small-scan").spec(OUT).cluster().jvm().heap()).isEqualTo("1g");
    assertThat(small.tables()).as("tables from the start").isEqualTo(1);
    assertThat(point.cluster().jvm().heap()).isEqualTo("400m");
  }

  @Test
  void sizes_are_smaller_in_a_quick_run_unless_they_are_given() {
    MatrixOptions all = options();
    MatrixOptions quick = options("--quick", "--wide-rows", "300");

    assertThat(List.of(all.rows(), all.wideRows(), all.smallTables()))
        .containsExactly(100_000, 100_000, 1000);
    assertThat(List.of(quick.rows(), quick.wideRows(), quick.smallTables()))
        .containsExactly(20_000, 300, 200);
    assertThat(options("--table-rows", "7").spec(OUT).rows()).isEqualTo(7);
    assertThat(options("--replicas", "3").spec(OUT).cluster().topology().rf()).isEqualTo(3);
    assertThat(options().spec(OUT).cluster().topology().vnodes()).isEqualTo(16);
    assertThat(options("--vnodes", "1").spec(OUT).cluster().topology().vnodes()).isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"--table-rows", "--wide-rows", "--small-tables", "--replicas"})
  void a_value_below_one_is_refused_with_its_option(String option) {
    MatrixOptions options = options(option, "0");

    assertThatThrownBy(
            () -> {
              options.spec(OUT);
              options.wideRows();
              options.smallTables();
            })
        .hasMessage(option + ": at least 1");
  }

  @Test
  void another_endpoint_has_a_name_and_an_address() {
    BedSpec spec =
        options("--also", "zdm=127.0.0.1:9142", "--also", "other=localhost:9242").spec(OUT);

    assertThat(spec.others())
        .extracting(OtherEndpoint::name, o -> o.address().getPort())
        .containsExactly(tuple("zdm", 9142), tuple("other", 9242));
    assertThat(options().spec(OUT).others()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"127.0.0.1:9042", "=127.0.0.1:9042", "zdm=127.0.0.1", "zdm="})
  void an_invalid_endpoint_is_refused(String text) {
    assertThatThrownBy(() -> options("--also", text).spec(OUT))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("--also: '");
  }

  @ParameterizedTest
  @ValueSource(strings = {"direct", "Sluice"})
  void another_endpoint_cannot_have_the_name_of_a_target(String name) {
    assertThatThrownBy(() -> options("--also", name + "=127.0.0.1:9042").spec(OUT))
        .hasMessage("--also: there is a '" + name + "' already");
  }

  @Test
  void the_rows_are_listed_with_their_loads_and_nothing_is_measured() {
    StringWriter out = new StringWriter();
    int code =
        new CommandLine(new WorkloadsCommand())
            .setOut(new PrintWriter(out))
            .execute("--list", "--quick", "--rows", "point,mix91");

    assertThat(code).isZero();
    assertThat(out.toString().lines().map(String::strip).collect(Collectors.toList()))
        .containsExactly(
            "point         point reads only: 32 clients; 250 clients",
            "mix91         nine point reads to one range read, LIMIT 1 to 2,000: 32 clients;"
                + " 250 clients; open, 50 %; open, 80 %; open, 150 %");
  }
}
