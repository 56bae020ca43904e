package io.sluice.exchange;

import io.sluice.execute.table.NotAnswerable;
import io.sluice.execute.table.TablePage;
import io.sluice.wire.RowSet;
import java.util.List;

/**
 * A SELECT from a system table, or a DESCRIBE, whose rows come partly from a node. Used by one
 * request.
 */
public interface SharedTable {

  /** Returns the statements to run at a node, in this order; not empty. */
  List<String> questions();

  /**
   * Whether the client's paging state comes from the proxy. No node then gets the client's own
   * request.
   */
  default boolean isLaterPage() {
    return false;
  }

  /**
   * Returns the page for the client.
   *
   * @param facts the node's rows for each of {@link #questions}
   * @throws NotAnswerable when the proxy cannot evaluate the statement
   */
  TablePage answer(List<RowSet> facts) throws NotAnswerable;
}
