package io.sluice.console;

import io.sluice.decide.predict.Densities;
import io.sluice.decide.predict.TableDensity.Source;
import io.sluice.ring.TableName;
import io.sluice.watch.Cluster.EstimatesTry;
import io.sluice.wire.ColumnType;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The table {@code estimates}: the known sizes of scanned tables. Stateless. */
final class EstimatesTable {

  private EstimatesTable() {}

  /**
   * A scanned table.
   *
   * @param known what is known of its size; null for nothing
   * @param tried the last reading of the nodes' estimates; null if there was none
   * @param asked the time of that reading
   */
  record EstimateFact(
      TableName table,
      Densities.@Nullable KnownDensity known,
      @Nullable EstimatesTry tried,
      @Nullable Instant asked) {}

  static final TableShape<EstimateFact> ESTIMATES =
      TableShape.<EstimateFact>named(
              "estimates", "tables that were scanned, and what is known of their size")
          .partition("keyspace_name", ColumnType.VARCHAR, fact -> fact.table().keyspace())
          .clustering("table_name", ColumnType.VARCHAR, fact -> fact.table().name())
          .column("age_ms", ColumnType.BIGINT, known(EstimatesTable::age))
          .column("asked", ColumnType.TIMESTAMP, EstimateFact::asked)
          .column("error", ColumnType.VARCHAR, EstimatesTable::error)
          .column("mean_partition_bytes", ColumnType.BIGINT, counted(EstimatesTable::meanBytes))
          .column("partitions", ColumnType.BIGINT, counted(known -> Math.round(known.partitions())))
          .column("ranges", ColumnType.INT, counted(Densities.KnownDensity::ranges))
          .column("source", ColumnType.VARCHAR, EstimatesTable::source);

  private static Function<EstimateFact, @Nullable Object> known(
      Function<Densities.KnownDensity, @Nullable Object> value) {
    return fact -> fact.known() == null ? null : value.apply(fact.known());
  }

  /** Returns a value that only the nodes' estimates contain; otherwise null. */
  private static Function<EstimateFact, @Nullable Object> counted(
      Function<Densities.KnownDensity, @Nullable Object> value) {
    return known(known -> known.ranges() == 0 ? null : value.apply(known));
  }

  private static @Nullable Object meanBytes(Densities.KnownDensity known) {
    return known.meanPartitionBytes() > 0 ? Math.round(known.meanPartitionBytes()) : null;
  }

  private static long age(Densities.KnownDensity known) {
    return TimeUnit.NANOSECONDS.toMillis(known.origin().ageNanos());
  }

  private static @Nullable String error(EstimateFact fact) {
    return fact.tried() == null ? null : fact.tried().error();
  }

  private static String source(EstimateFact fact) {
    Source source = fact.known() == null ? Source.NONE : fact.known().origin().source();
    return source.name().toLowerCase(Locale.ROOT);
  }

  /**
   * Combines what is known with the attempts to read estimates.
   *
   * @param nanos the time {@code now} on the clock of the attempts
   */
  static List<EstimateFact> facts(
      List<Densities.KnownDensity> known,
      Map<TableName, EstimatesTry> tried,
      long nanos,
      Instant now) {
    Map<TableName, EstimatesTry> others = new HashMap<>(tried);
    List<EstimateFact> facts = new ArrayList<>();
    known.forEach(
        each -> facts.add(fact(each.table(), each, others.remove(each.table()), nanos, now)));
    others.forEach((table, each) -> facts.add(fact(table, null, each, nanos, now)));
    return facts;
  }

  private static EstimateFact fact(
      TableName table,
      Densities.@Nullable KnownDensity known,
      @Nullable EstimatesTry tried,
      long nanos,
      Instant now) {
    Instant asked = tried == null ? null : now.minusNanos(nanos - tried.atNanos());
    return new EstimateFact(table, known, tried, asked);
  }
}
