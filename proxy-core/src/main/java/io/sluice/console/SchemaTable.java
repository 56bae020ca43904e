package io.sluice.console;

import io.sluice.exchange.SharedTable;
import io.sluice.execute.table.NotAnswerable;
import io.sluice.execute.table.SmallTable;
import io.sluice.execute.table.TablePage;
import io.sluice.execute.table.TableQuery;
import io.sluice.statement.Statement;
import io.sluice.wire.CqlRequest;
import io.sluice.wire.Frame;
import io.sluice.wire.RowSet;
import java.util.List;
import java.util.Objects;

/**
 * A SELECT from a table of {@code system_virtual_schema}, answered with the rows of a node and
 * those of the proxy's own keyspace.
 */
record SchemaTable(OwnSchema schema, Frame request, Statement statement) implements SharedTable {

  private String table() {
    return Objects.requireNonNull(statement.classified().table());
  }

  @Override
  public List<String> questions() {
    return List.of("SELECT * FROM " + OwnSchema.VIRTUAL_SCHEMA + "." + table());
  }

  @Override
  public boolean isLaterPage() {
    return asked(request).from() != null;
  }

  @Override
  public TablePage answer(List<RowSet> facts) throws NotAnswerable {
    RowSet all = SmallTable.union(facts.get(0), schema.rows(table()));
    return TableQuery.page(
        statement.classified(),
        statement.values(),
        new SmallTable(all, OwnSchema.key(table())),
        asked(request));
  }

  /** Returns the page that a QUERY or EXECUTE requests. */
  static TablePage.PageRequest asked(Frame request) {
    CqlRequest read = CqlRequest.of(request);
    if (read instanceof CqlRequest.Query query) {
      return new TablePage.PageRequest(
          query.parameters().pageSize(), query.parameters().pagingState());
    } else if (read instanceof CqlRequest.Execute execute) {
      return new TablePage.PageRequest(
          execute.parameters().pageSize(), execute.parameters().pagingState());
    }
    return TablePage.PageRequest.ALL;
  }
}
