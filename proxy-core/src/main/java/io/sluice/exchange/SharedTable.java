package io.sluice.exchange;

import io.sluice.execute.table.NotAnswerable;
import io.sluice.execute.table.TablePage;
import io.sluice.wire.RowSet;
import java.util.List;

/** A SELECT from a table of which a node knows a part. Used by one request. */
public interface SharedTable {

  /** The statements that a node is asked, in this order; not empty. */
  List<String> questions();

  /**
   * Whether the client goes on from a paging state that no node knows: then a node is not asked its
   * own request.
   */
  default boolean goesOn() {
    return false;
  }

  /**
   * The client's answer.
   *
   * @param facts the node's rows for each question
   * @throws NotAnswerable when the statement asks for more than can be said
   */
  TablePage answer(List<RowSet> facts) throws NotAnswerable;
}
