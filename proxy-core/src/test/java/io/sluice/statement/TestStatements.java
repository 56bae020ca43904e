package io.sluice.statement;

import io.sluice.decide.classify.BoundValues;
import io.sluice.decide.classify.Classified;
import io.sluice.decide.classify.Classifier;
import io.sluice.execute.reply.RequestKind;
import io.sluice.ring.Catalog;
import io.sluice.ring.Table;
import io.sluice.ring.TestPartitioner;
import java.util.List;

/** Statements as the reader makes them, without a request. */
public final class TestStatements {

  /** Every table of the keyspace {@code ks}, with the key {@code k int}. */
  private static final Catalog CATALOG =
      (keyspace, table) ->
          keyspace.equals("ks")
              ? new Table(keyspace, table, List.of(new Table.KeyColumn("k", "int")))
              : null;

  private TestStatements() {}

  /** Returns the statement of a QUERY with this text. */
  public static Statement of(String cql) {
    Classified classified = new Classifier().classify(cql, null, CATALOG, TestPartitioner.INT_KEYS);
    RequestKind kind =
        switch (classified.shape()) {
          case POINT_READ, MULTI_POINT_READ, RANGE_READ -> RequestKind.READ;
          case WRITE -> RequestKind.SIMPLE_WRITE;
          case TRUNCATE -> RequestKind.TRUNCATE;
          default -> RequestKind.OTHER;
        };
    return new Statement(
        classified,
        cql,
        BoundValues.NONE,
        -1,
        false,
        1,
        kind,
        null,
        null,
        null,
        null,
        null,
        null,
        List.of(),
        false);
  }
}
