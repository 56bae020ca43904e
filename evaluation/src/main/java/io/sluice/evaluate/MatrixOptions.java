package io.sluice.evaluate;

import io.sluice.cluster.ClusterPartitioner;
import io.sluice.evaluate.bed.BedSpec;
import io.sluice.evaluate.bed.OtherEndpoint;
import io.sluice.evaluate.bed.Variant;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options of the matrix of workloads. */
final class MatrixOptions extends BedOptions {
  private static final List<Variant> TARGETS = List.of(Variant.DIRECT, Variant.SLUICE);

  private static final String TENANTS_NEED_LOGIN =
      "tenants needs nodes that the evaluation starts, with a required login";

  @Option(
      names = "--rows",
      split = ",",
      paramLabel = "NAME",
      description =
          "rows of the matrix (default: all, with --hosts all but tenants; --list names them)")
  private List<String> rowNames = List.of();

  @Option(names = "--list", description = "print the rows and their loads, and measure nothing")
  private boolean list;

  @Option(
      names = "--also",
      paramLabel = "NAME=HOST:PORT",
      description =
          "a further target in front of the same nodes, such as another proxy that is running; may be"
              + " given several times")
  private List<String> also = List.of();

  @Option(names = "--replicas", paramLabel = "N", description = "copies of each row (default: 1)")
  private int replicas = 1;

  @Option(names = "--vnodes", paramLabel = "N", description = "tokens of each node (default: 16)")
  private int vnodes = 16;

  @Option(
      names = "--table-rows",
      paramLabel = "N",
      description = "rows of 1 KB of the table (default: 100000; quick: 20000)")
  private @Nullable Integer tableRows;

  @Option(
      names = "--wide-rows",
      paramLabel = "N",
      description = "rows of 100 bytes of the large partition (default: 100000; quick: 20000)")
  private @Nullable Integer wideRows;

  @Option(
      names = "--small-tables",
      paramLabel = "N",
      description = "number of small tables (default: 1000; quick: 200)")
  private @Nullable Integer smallTables;

  MatrixOptions() {
    super(new Defaults(10, 2, Duration.ofSeconds(690)));
  }

  boolean list() {
    return list;
  }

  /** Returns the loads to measure. */
  List<Cell> cells() {
    List<Cell> cells = new ArrayList<>();
    for (Row row : rowsOfMatrix()) {
      cells.addAll(row.cells(quick()));
    }
    return cells;
  }

  /**
   * Returns the selected rows. If none is selected and the evaluation does not start the nodes,
   * leaves out {@code tenants}, because only nodes of its own are sure to ask for a login.
   *
   * @throws IllegalArgumentException when {@code tenants} is selected on such nodes
   */
  List<Row> rowsOfMatrix() {
    List<Row> rows = new ArrayList<>(Row.of(rowNames));
    if (!startsNodes() && rows.remove(Row.TENANTS) && !rowNames.isEmpty()) {
      throw new IllegalArgumentException("--rows: " + TENANTS_NEED_LOGIN);
    }
    return rows;
  }

  /** Returns a sentence about each row that is not measured although no row was selected. */
  List<String> leftOut() {
    return rowNames.isEmpty() && !startsNodes()
        ? List.of("The row tenants is left out: " + TENANTS_NEED_LOGIN + ".")
        : List.of();
  }

  int wideRows() {
    return atLeastOne("--wide-rows", given(wideRows, 100_000, 20_000));
  }

  int smallTables() {
    return atLeastOne("--small-tables", given(smallTables, 1000, 200));
  }

  @Override
  @Nullable Integer givenRows() {
    Integer given = tableRows;
    return given == null ? null : Integer.valueOf(atLeastOne("--table-rows", given));
  }

  /** Returns the nodes, proxies and data to measure. The proxies' settings go below {@code out}. */
  BedSpec spec(Path out) {
    List<Row> rows = rowsOfMatrix();
    boolean small = rows.contains(Row.SMALL_TABLES) || rows.contains(Row.SMALL_SCAN);
    int tables = small ? smallTables() : 1;
    BedSpec spec =
        spec(
                nodes(replicas(), ClusterPartitioner.MURMUR3, tables)
                    .withVnodes(atLeastOne("--vnodes", vnodes)),
                TARGETS,
                replicas(),
                1,
                out)
            .withOthers(others());
    return rows.contains(Row.TENANTS) ? spec.withLogin() : spec;
  }

  private int replicas() {
    return atLeastOne("--replicas", replicas);
  }

  private List<OtherEndpoint> others() {
    List<OtherEndpoint> others =
        also.stream().map(text -> OtherEndpoint.of("--also", text)).toList();
    List<String> names = new ArrayList<>(TARGETS.stream().map(Variant::label).toList());
    for (OtherEndpoint other : others) {
      if (names.stream().anyMatch(other.name()::equalsIgnoreCase)) {
        throw new IllegalArgumentException("--also: there is a '" + other.name() + "' already");
      }
      names.add(other.name());
    }
    return others;
  }
}
