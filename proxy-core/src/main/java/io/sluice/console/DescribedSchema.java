package io.sluice.console;

import io.sluice.decide.classify.Classified;
import io.sluice.decide.classify.OwnStatement.DescribeAll;
import io.sluice.exchange.SharedTable;
import io.sluice.execute.table.NotAnswerable;
import io.sluice.execute.table.TablePage;
import io.sluice.wire.Frame;
import io.sluice.wire.RowSet;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * DESCRIBE of all keyspaces or tables: a node's rows in the node's order, and among them those of
 * the proxy's own keyspace.
 */
record DescribedSchema(OwnDescription own, Frame request, DescribeAll what) implements SharedTable {

  @Override
  public List<String> questions() {
    return List.of("DESCRIBE " + what);
  }

  @Override
  public boolean isLaterPage() {
    return SchemaTable.asked(request).from() != null;
  }

  @Override
  public TablePage answer(List<RowSet> facts) throws NotAnswerable {
    RowSet node = facts.get(0);
    List<List<@Nullable ByteBuffer>> rows = new ArrayList<>(node.rows());
    rows.addAll(place(node), own.rows(what).rows());
    return TablePage.of(new RowSet(node.columns(), rows), SchemaTable.asked(request));
  }

  /** Returns how many of a node's rows are of keyspaces whose names sort before the proxy's. */
  private static int place(RowSet node) {
    int place = 0;
    while (place < node.rows().size()
        && keyspace(node.rows().get(place)).compareTo(Classified.PROXY_KEYSPACE) < 0) {
      place++;
    }
    return place;
  }

  /** Returns the name of a row's keyspace as nodes sort it: a name with capitals is in quotes. */
  private static String keyspace(List<@Nullable ByteBuffer> row) {
    ByteBuffer name = row.get(0);
    return name == null
        ? ""
        : StandardCharsets.UTF_8
            .decode(name.duplicate())
            .toString()
            .replace("\"", "")
            .toLowerCase(Locale.ROOT);
  }
}
