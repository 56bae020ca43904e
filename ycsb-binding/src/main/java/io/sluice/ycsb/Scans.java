package io.sluice.ycsb;

import com.datastax.oss.driver.api.core.cql.BoundStatement;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.ResultSet;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.metadata.token.Token;
import io.sluice.load.LoadedRows;
import io.sluice.load.RequestFailure;
import io.sluice.load.ScanRange;
import io.sluice.load.SeenRow;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;
import site.ycsb.Status;

/** Runs scans in the configured mode, and checks their answers. */
final class Scans {
  private static final Status SHORT = Statuses.of(RequestFailure.SHORT_READ);

  private final SharedSession shared;
  private final BindingSettings settings;
  private final Statements cql;
  private final RowReader reader;

  Scans(SharedSession shared, BindingSettings settings, Statements cql, RowReader reader) {
    this.shared = shared;
    this.settings = settings;
    this.cql = cql;
    this.reader = reader;
  }

  /** The rows of a scan, and whether they are complete and right. */
  record Outcome(List<Row> rows, Status status) {}

  Outcome run(String table, String start, int limit, @Nullable Collection<String> wanted) {
    ScanRange range = range(start, limit);
    ResultSet answer = shared.cql().execute(bind(table, start, range, wanted));
    if (settings.mode() == ScanMode.COUNT) {
      Row row = answer.one();
      return new Outcome(List.of(), row == null ? SHORT : check(row.getLong(0)));
    }
    List<Row> rows = new ArrayList<>();
    answer.forEach(rows::add);
    return new Outcome(rows, check(start, range, rows, wanted));
  }

  private BoundStatement bind(
      String table, String start, ScanRange range, @Nullable Collection<String> wanted) {
    PreparedStatement prepared = shared.prepare(cql.scan(table, settings.mode(), wanted));
    BoundStatement scan =
        switch (settings.mode()) {
          case TOKEN_LIMIT -> prepared.bind(start, range.limit());
          case TOKEN_RANGE -> prepared.bind(start, range.to(), range.limit());
          case FULL_TABLE, COUNT -> prepared.bind();
        };
    scan = scan.setConsistencyLevel(settings.reads()).setTracing(settings.tracing());
    return settings.pageSize() == 0 ? scan : scan.setPageSize(settings.pageSize());
  }

  private ScanRange range(String start, int limit) {
    return switch (settings.mode()) {
      case TOKEN_LIMIT -> new ScanRange(token(start), null, limit);
      case TOKEN_RANGE -> new ScanRange(token(start), end(token(start), limit), limit);
      case FULL_TABLE, COUNT -> ScanRange.whole();
    };
  }

  private Token token(String key) {
    return shared.tokens().newToken(SharedSession.bytes(key));
  }

  private Token end(Token from, int rows) {
    long first = Long.parseLong(shared.tokens().format(from));
    long last = RingShare.end(first, rows, Math.max(1, settings.keys().count()));
    return shared.tokens().parse(Long.toString(last));
  }

  private Status check(long count) {
    LoadedRows loaded = shared.loaded();
    return loaded == null ? Status.OK : shared.verification().verdict("count", loaded.fault(count));
  }

  /** Checks the answer by itself: a further request would count as time of the scan. */
  private Status check(
      String start, ScanRange range, List<Row> rows, @Nullable Collection<String> wanted) {
    LoadedRows loaded = shared.loaded();
    if (loaded != null) {
      List<SeenRow> seen = rows.stream().map(reader::seen).toList();
      String request = "scan from " + start + " of " + range.limit();
      return shared.verification().verdict(request, loaded.fault(range, seen));
    }
    return rows.stream().allMatch(row -> reader.isWhole(row, wanted)) ? Status.OK : SHORT;
  }
}
