package io.sluice.evaluate.drive;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.BoundStatement;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import io.sluice.load.LoadedRows;
import io.sluice.load.RequestFailure;
import io.sluice.load.ScanRange;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** Requests that read all rows of a table, or count them. */
final class WholeTable {
  private final CqlSession session;
  private final Data data;

  WholeTable(CqlSession session, Data data) {
    this.session = session;
    this.data = data;
  }

  Requests scans(Check check) {
    List<PreparedStatement> all = new ArrayList<>();
    for (int table = 0; table < data.tables(); table++) {
      all.add(session.prepare("SELECT k, v, sum FROM " + data.table(table)));
    }
    return random -> {
      BoundStatement scan = all.get(random.nextInt(all.size())).bind().setPageSize(Tables.PAGE);
      boolean verify = check.rowByRow(random);
      return new Ask(
          RequestClass.SCAN,
          () -> session.executeAsync(scan).thenCompose(page -> checked(page, verify)));
    };
  }

  private CompletionStage<@Nullable RequestFailure> checked(AsyncResultSet page, boolean verify) {
    LoadedRows loaded = data.rows();
    return verify
        ? Answer.kept(page, Tables::seen)
            .thenApply(all -> Tables.failure(loaded, ScanRange.whole(), all.rows()))
        : Answer.counted(page).thenApply(all -> all.fault(loaded.size()));
  }

  Requests counts() {
    SimpleStatement count = SimpleStatement.newInstance("SELECT count(*) FROM " + data.table(0));
    return random ->
        new Ask(
            RequestClass.COUNT,
            () -> session.executeAsync(count).thenApply(page -> countFault(page)));
  }

  private @Nullable RequestFailure countFault(AsyncResultSet page) {
    long count = Objects.requireNonNull(page.one()).getLong(0);
    return data.rows().fault(count).map(LoadedRows.Fault::failure).orElse(null);
  }
}
