package io.sluice.console;

import io.sluice.audit.AuditLog;
import io.sluice.decide.classify.BoundValues;
import io.sluice.decide.classify.OwnStatement;
import io.sluice.exchange.RunningRequests;
import io.sluice.time.Lane;
import io.sluice.wire.RowSet;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** DELETE from {@code requests}: ends requests in flight. */
record RequestEnd(RunningRequests running, AuditLog audit) implements RowChange {

  /** Maximum number of requests that a log line names. */
  private static final int MAX_NAMED = 10;

  private static final Logger LOG = LoggerFactory.getLogger(RequestEnd.class);

  @Override
  public void apply(
      Asker asker,
      OwnStatement.Change change,
      BoundValues values,
      RowSet rows,
      Consumer<@Nullable String> then) {
    if (!change.deletes()) {
      then.accept("system_proxy.requests accepts only DELETE");
      return;
    }
    end(
        ids(rows),
        asker.name() + " (DELETE FROM system_proxy.requests)",
        asker.lane(),
        ended -> then.accept(null));
  }

  /**
   * Ends requests.
   *
   * @param operator the operator, for clients and for the log
   * @param then called once, on {@code lane}, with the number of ended requests
   */
  void end(Set<Long> ids, String operator, Lane lane, Consumer<Integer> then) {
    running.end(
        ids,
        "The request was ended by " + operator,
        lane,
        ended -> {
          List<Long> named = ids.stream().sorted().limit(MAX_NAMED).toList();
          audit.ended(operator, ids, ended);
          LOG.info("{} has ended {} requests, the first: {}", operator, ended, named);
          then.accept(ended);
        });
  }

  private static Set<Long> ids(RowSet rows) {
    int column = rows.indexOf(RequestTables.ID);
    return rows.rows().stream().map(row -> id(row, column)).collect(Collectors.toSet());
  }

  private static long id(List<@Nullable ByteBuffer> row, int column) {
    ByteBuffer cell = Objects.requireNonNull(row.get(column));
    return cell.getLong(cell.position());
  }
}
