package io.sluice.evaluate;

import io.sluice.evaluate.bed.TestBed;
import io.sluice.evaluate.drive.Check;
import io.sluice.evaluate.drive.ClosedLoop;
import io.sluice.evaluate.drive.Data;
import io.sluice.evaluate.drive.LoadTime;
import io.sluice.evaluate.drive.Mix;
import io.sluice.evaluate.drive.Observed;
import io.sluice.evaluate.drive.OpenLoop;
import io.sluice.evaluate.drive.Partitions;
import io.sluice.evaluate.drive.Requests;
import io.sluice.evaluate.drive.Tables;
import io.sluice.load.RateProfile;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Creates the loads of the matrix's cells, and the tables that only some rows need. */
final class CellScenes {
  /** The largest LIMIT of long range reads. */
  static final int LONG = 2000;

  private static final int SHORT = 10;
  private static final int ROWS_OF_A_SMALL_TABLE = 100;
  private static final int FLOODING_CLIENTS = 64;
  private static final String FLOOD = "flood of " + FLOODING_CLIENTS + " clients";
  private static final Mix SHORT_HALVES = new Mix(0.5, 0.5, 0, SHORT, false);

  private final MatrixOptions options;
  private final Recording recording;
  private final LoadTime time;
  private @Nullable Data small;

  CellScenes(MatrixOptions options, Recording recording) {
    this.options = options;
    this.recording = recording;
    this.time = options.time();
  }

  /** Prepares a row's requests at a target. */
  private interface Asking {
    Requests at(TestBed.Target target) throws InterruptedException;
  }

  List<Scene> of(TestBed bed, List<Cell> cells) throws InterruptedException {
    double capacity = 0;
    if (cells.stream().anyMatch(Cell::isOpen)) {
      capacity = new Capacity(options).of(bed, mix(Row.MIX_9_1));
      recording.note("Open loops: 100 %% are %.0f requests a second.".formatted(capacity));
    }
    List<Scene> scenes = new ArrayList<>();
    Map<Row, Map<String, Requests>> requests = new LinkedHashMap<>();
    for (Cell cell : cells) {
      Row row = cell.row();
      if (!cell.isOpen() && !requests.containsKey(row)) {
        requests.put(row, atAllTargets(bed, asking(row, bed)));
      }
      scenes.add(
          new Scene(
              row.label(),
              cell.load(),
              time,
              cell.isOpen()
                  ? open(mix(row), cell.percent() / 100.0 * capacity)
                  : row == Row.TENANTS
                      ? besideFlood(bed, Objects.requireNonNull(requests.get(row)), cell.clients())
                      : closed(Objects.requireNonNull(requests.get(row)), cell.clients())));
    }
    return scenes;
  }

  private static Map<String, Requests> atAllTargets(TestBed bed, Asking asking)
      throws InterruptedException {
    Map<String, Requests> all = new LinkedHashMap<>();
    for (TestBed.Target target : bed.targets()) {
      all.put(target.label(), asking.at(target));
    }
    return all;
  }

  private Asking asking(Row row, TestBed bed) throws InterruptedException {
    return switch (row) {
      case POINT, WRITE, READ_WRITE, MIX_9_1, MIX_5_5, RANGE_10, RANGE_2000 ->
          target -> mixed(target.tables(), mix(row));
      case SCAN -> target -> target.tables().scans(Check.SOME_ROWS);
      case COUNT -> target -> target.tables().counts();
      case IN_2 -> target -> target.tables().lists(2, Check.SOME_ROWS);
      case IN_20 -> target -> target.tables().lists(20, Check.SOME_ROWS);
      case IN_200 -> target -> target.tables().lists(200, Check.SOME_ROWS);
      case WIDE -> wide(bed);
      case SMALL_TABLES -> {
        Data tables = smallTables(bed);
        yield target -> mixed(new Tables(target.session(), tables), SHORT_HALVES);
      }
      case SMALL_SCAN -> {
        Data tables = smallTables(bed);
        yield target -> new Tables(target.session(), tables).scans(Check.SOME_ROWS);
      }
      case TENANTS -> target -> mixed(bed.as("sluice_quiet", target), SHORT_HALVES);
    };
  }

  private static Requests mixed(Tables tables, Mix mix) {
    return tables.mix(mix, Tables.Levels.ONE, Check.SOME_ROWS);
  }

  /** Returns the mix of a row whose requests are a mix on the one large table. */
  private Mix mix(Row row) {
    int longest = Math.min(LONG, options.rows());
    return switch (row) {
      case POINT -> new Mix(1, 0, 0, 1, false);
      case WRITE -> new Mix(0, 0, 1, 1, false);
      case READ_WRITE -> new Mix(0.5, 0, 0.5, 1, false);
      case MIX_9_1 -> new Mix(0.9, 0.1, 0, longest, false);
      case MIX_5_5 -> new Mix(0.5, 0.5, 0, longest, false);
      case RANGE_10 -> new Mix(0, 1, 0, SHORT, false);
      case RANGE_2000 -> new Mix(0, 1, 0, longest, false);
      case SCAN, COUNT, IN_2, IN_20, IN_200, WIDE, SMALL_TABLES, SMALL_SCAN, TENANTS ->
          throw new IllegalArgumentException(row + " has no mix of one table");
    };
  }

  private Asking wide(TestBed bed) throws InterruptedException {
    Partitions.Shape shape = new Partitions.Shape("sluice_evaluate_wide", options.wideRows());
    bed.fill(
        shape.keyspace(),
        (session, replication) -> Partitions.load(session, shape, replication, rows -> {}));
    recording.note(
        "wide: one of %d partitions has %,d rows of 100 bytes, the others have %d."
            .formatted(Partitions.PARTITIONS, shape.wideRows(), Partitions.NARROW_ROWS));
    return target -> new Partitions(target.session(), shape, Check.SOME_ROWS);
  }

  /** Returns the small tables. Fills them on the first call. */
  private Data smallTables(TestBed bed) throws InterruptedException {
    Data filled = small;
    if (filled == null) {
      filled =
          bed.data()
              .elsewhere("sluice_evaluate_small", options.smallTables(), ROWS_OF_A_SMALL_TABLE);
      bed.fill(filled, rows -> {});
      recording.note("Small tables: %,d of 100 rows of 1 KB each.".formatted(filled.tables()));
      small = filled;
    }
    return filled;
  }

  private static Scene.Play closed(Map<String, Requests> requests, int clients) {
    return (target, lasting, seed) ->
        Scene.Played.alone(
            new ClosedLoop(Objects.requireNonNull(requests.get(target.label())))
                .run(clients, lasting, seed));
  }

  private static Scene.Play open(Mix mix, double perSecond) {
    return (target, lasting, seed) ->
        Scene.Played.alone(
            new OpenLoop(target.tables(), mix, Check.SOME_ROWS)
                .run(RateProfile.steady(perSecond), lasting, seed));
  }

  /** Returns a load of {@code quiet} beside a flood of another role. */
  private Scene.Play besideFlood(TestBed bed, Map<String, Requests> quiet, int clients)
      throws InterruptedException {
    Map<String, Requests> flood =
        atAllTargets(bed, target -> mixed(bed.as("sluice_flood", target), mix(Row.RANGE_2000)));
    return (target, lasting, seed) ->
        besideFlood(
            Objects.requireNonNull(flood.get(target.label())),
            Objects.requireNonNull(quiet.get(target.label())),
            clients,
            lasting,
            seed);
  }

  /**
   * Runs a flood and quiet clients. The flood begins first. The load waits for the flood's last
   * response, so that nothing of it overlaps the next load.
   */
  static Scene.Played besideFlood(
      Requests flood, Requests quiet, int clients, LoadTime lasting, long seed)
      throws InterruptedException {
    ClosedLoop.Running flooding = new ClosedLoop(flood).begin(FLOODING_CLIENTS, lasting, seed + 1);
    Observed seen = new ClosedLoop(quiet).run(clients, lasting, seed);
    return new Scene.Played(seen, Map.of(FLOOD, flooding.await()));
  }
}
