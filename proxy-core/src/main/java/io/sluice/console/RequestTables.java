package io.sluice.console;

import io.sluice.decide.classify.StatementShape;
import io.sluice.exchange.RunningRequests.RequestFacts;
import io.sluice.wire.ColumnType;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The table {@code requests}: the requests in flight. Stateless. */
final class RequestTables {

  /** The column that identifies a request. */
  static final String ID = "id";

  private static final String CONSOLE_SHAPE = StatementShape.PROXY.name().toLowerCase(Locale.ROOT);

  private RequestTables() {}

  /** A request with the time of its start. */
  record RequestFact(RequestFacts request, Instant started) {

    RequestFacts.Caller caller() {
      return request.caller();
    }
  }

  static final TableShape<RequestFact> REQUESTS =
      TableShape.<RequestFact>named("requests", "requests in flight; DELETE ends them")
          .partition(ID, ColumnType.BIGINT, fact -> fact.request().id())
          .column("address", ColumnType.INET, fact -> fact.caller().address().getAddress())
          .column("application", ColumnType.VARCHAR, fact -> fact.caller().application())
          .column("class", ColumnType.VARCHAR, fact -> fact.request().shape())
          .column("client", ColumnType.BIGINT, fact -> fact.caller().number())
          .column("estimated_left_ms", ColumnType.BIGINT, RequestTables::left)
          .column("keyspace_name", ColumnType.VARCHAR, fact -> fact.request().keyspace())
          .column("pieces", ColumnType.INT, fact -> fact.request().progress().pieces())
          .column("pieces_done", ColumnType.INT, fact -> fact.request().progress().piecesDone())
          .column("port", ColumnType.INT, fact -> fact.caller().address().getPort())
          .column("role", ColumnType.VARCHAR, fact -> fact.caller().role())
          .column("rows", ColumnType.BIGINT, fact -> fact.request().progress().rows())
          .column("rows_wanted", ColumnType.INT, RequestTables::wanted)
          .column("running_ms", ColumnType.BIGINT, fact -> millis(fact.request().nanos()))
          .column("started", ColumnType.TIMESTAMP, RequestFact::started)
          .column(
              "state",
              ColumnType.VARCHAR,
              fact -> ProcessTables.text(fact.request().progress().state()))
          .column("table_name", ColumnType.VARCHAR, fact -> fact.request().table())
          .column("waited_ms", ColumnType.BIGINT, fact -> millis(fact.request().waitedNanos()));

  private static @Nullable Integer wanted(RequestFact fact) {
    int wanted = fact.request().progress().wanted();
    return wanted < 0 ? null : wanted;
  }

  private static @Nullable Long left(RequestFact fact) {
    long left = fact.request().leftNanos();
    return left < 0 ? null : Long.valueOf(millis(left));
  }

  private static long millis(long nanos) {
    return TimeUnit.NANOSECONDS.toMillis(nanos);
  }

  /** Returns the requests that {@code asker} may see, without those about {@code system_proxy}. */
  static List<RequestFact> seen(List<RequestFacts> all, Asker asker, Instant now) {
    return all.stream()
        .filter(each -> !each.shape().equals(CONSOLE_SHAPE) && asker.sees(each.caller().role()))
        .map(each -> new RequestFact(each, now.minusNanos(each.nanos())))
        .toList();
  }
}
