package io.sluice.console;

import io.sluice.usage.Cost;
import io.sluice.usage.LaneUsage.TableFacts;
import io.sluice.usage.StatementFacts;
import io.sluice.wire.ColumnType;
import io.sluice.wire.ErrorCode;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The tables {@code statements} and {@code tables}: the cost that lanes have counted. Stateless.
 */
final class UsageTables {

  private static final double NANOS_PER_MILLI = 1e6;
  private static final double HALF = 0.5;
  private static final double NEARLY_ALL = 0.99;

  private UsageTables() {}

  static final TableShape<StatementFacts> STATEMENTS =
      TableShape.<StatementFacts>named(
              "statements", "statements since the start, and what they have cost")
          .partition("digest", ColumnType.VARCHAR, UsageTables::digest)
          .clustering("role", ColumnType.VARCHAR, StatementFacts::role)
          .column("bytes", ColumnType.BIGINT, statement(Cost::bytes))
          .column("calls", ColumnType.BIGINT, statement(Cost::calls))
          .column("class", ColumnType.VARCHAR, StatementFacts::shape)
          .column("errors", ColumnType.BIGINT, statement(Cost::errors))
          .column("keyspace_name", ColumnType.VARCHAR, StatementFacts::keyspace)
          .column("last_error", ColumnType.VARCHAR, statement(UsageTables::lastError))
          .column("max_ms", ColumnType.DOUBLE, statement(cost -> millis(cost.maxNanos())))
          .column("mean_ms", ColumnType.DOUBLE, statement(cost -> mean(cost, cost.nanos())))
          .column("p50_ms", ColumnType.DOUBLE, statement(cost -> quantile(cost, HALF)))
          .column("p99_ms", ColumnType.DOUBLE, statement(cost -> quantile(cost, NEARLY_ALL)))
          .column("queue_ms", ColumnType.DOUBLE, statement(cost -> mean(cost, cost.queuedNanos())))
          .column("rows", ColumnType.BIGINT, statement(Cost::rows))
          .column("table_name", ColumnType.VARCHAR, StatementFacts::table)
          .column("text", ColumnType.VARCHAR, StatementFacts::text)
          .column("total_ms", ColumnType.DOUBLE, statement(cost -> millis(cost.nanos())));

  static final TableShape<TableFacts> TABLES =
      TableShape.<TableFacts>named("tables", "reads and writes of tables since the start, by class")
          .partition("keyspace_name", ColumnType.VARCHAR, TableFacts::keyspace)
          .clustering("table_name", ColumnType.VARCHAR, TableFacts::table)
          .clustering("class", ColumnType.VARCHAR, TableFacts::shape)
          .column("bytes", ColumnType.BIGINT, table(Cost::bytes))
          .column("calls", ColumnType.BIGINT, table(Cost::calls))
          .column("errors", ColumnType.BIGINT, table(Cost::errors))
          .column("mean_ms", ColumnType.DOUBLE, table(cost -> mean(cost, cost.nanos())))
          .column("p50_ms", ColumnType.DOUBLE, table(cost -> quantile(cost, HALF)))
          .column("p99_ms", ColumnType.DOUBLE, table(cost -> quantile(cost, NEARLY_ALL)))
          .column("queue_ms", ColumnType.DOUBLE, table(cost -> mean(cost, cost.queuedNanos())))
          .column("rows", ColumnType.BIGINT, table(Cost::rows))
          .column("total_ms", ColumnType.DOUBLE, table(cost -> millis(cost.nanos())));

  private static Function<StatementFacts, @Nullable Object> statement(
      Function<Cost, @Nullable Object> value) {
    return fact -> value.apply(fact.cost());
  }

  private static Function<TableFacts, @Nullable Object> table(
      Function<Cost, @Nullable Object> value) {
    return fact -> value.apply(fact.cost());
  }

  private static double quantile(Cost cost, double share) {
    return millis(cost.quantileNanos(share));
  }

  private static String digest(StatementFacts fact) {
    return fact.isOthers() ? "others" : ProcessTables.digest(fact.digest());
  }

  /** Returns only the name of the error, because its message may repeat what a client has sent. */
  private static @Nullable Object lastError(Cost cost) {
    return cost.lastError() == Cost.NO_ERROR
        ? null
        : ErrorCode.name(cost.lastError()) + (cost.wasLastByNode() ? " by a node" : " by Sluice");
  }

  private static double millis(long nanos) {
    return (double) nanos / NANOS_PER_MILLI;
  }

  private static double mean(Cost cost, long nanos) {
    return cost.calls() == 0 ? 0 : (double) nanos / cost.calls() / NANOS_PER_MILLI;
  }

  /** Returns the statements that {@code asker} may see. */
  static List<StatementFacts> seen(List<StatementFacts> all, Asker asker) {
    return all.stream().filter(each -> asker.sees(each.role())).toList();
  }
}
